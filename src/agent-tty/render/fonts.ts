import { fileURLToPath } from "node:url";
import { type CharacterMap, readCharacterMap } from "./character-map.ts";

/** The bundled fonts; their licences are in `fonts/NOTICE`. */
const FONT_FILES = {
  mono: "DejaVuSansMono.ttf",
  "mono-bold": "DejaVuSansMono-Bold.ttf",
  "mono-italic": "DejaVuSansMono-Oblique.ttf",
  "mono-bold-italic": "DejaVuSansMono-BoldOblique.ttf",
  sans: "DejaVuSans.ttf",
  symbols: "NotoSansSymbols2-Regular.ttf",
  cjk: "wqy-microhei.ttc",
  emoji: "twemoji.woff2",
} as const;

export type FontName = keyof typeof FONT_FILES;

/** Tried in this order for characters that no face of the monospace font has. */
const FALLBACKS: readonly FontName[] = ["mono", "sans", "symbols", "cjk"];

const EMOJI_PRESENTATION = /^\p{Emoji_Presentation}/u;
const EMOJI = /^\p{Emoji}/u;
const VARIATION_TEXT = "\ufe0e";
const VARIATION_EMOJI = "\ufe0f";
const LAST_ASCII = 0x7e;

const maps = new Map<FontName, CharacterMap>();

/** Returns the path of a font file. `fonts/` is next to this file in the sources and next to the bundle when published. */
export function fontPath(name: FontName): string {
  return fileURLToPath(new URL(`./fonts/${FONT_FILES[name]}`, import.meta.url));
}

/** Returns the font for a cell's text, or null if no font has it. Never depends on the system's fonts. */
export function chooseFont(text: string, style: { bold: boolean; italic: boolean }): FontName | null {
  const face = monoFace(style);
  const code = text.codePointAt(0) ?? 0;
  if (code <= LAST_ASCII && text.length === 1) return face;
  if (text.includes(VARIATION_EMOJI)) return "emoji";
  if (EMOJI_PRESENTATION.test(text) && !text.includes(VARIATION_TEXT)) return "emoji";
  const found = [face, ...FALLBACKS].find((name) => hasCharacter(name, code));
  return found ?? (EMOJI.test(text) ? "emoji" : null);
}

function monoFace({ bold, italic }: { bold: boolean; italic: boolean }): FontName {
  if (bold) return italic ? "mono-bold-italic" : "mono-bold";
  return italic ? "mono-italic" : "mono";
}

function hasCharacter(name: FontName, code: number): boolean {
  const map = maps.get(name) ?? readCharacterMap(fontPath(name));
  maps.set(name, map);
  return map(code);
}

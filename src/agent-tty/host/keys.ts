import { distance } from "fastest-levenshtein";
import { invalidInput } from "./engine-error.ts";
import { ALIASES, CHARACTER_KEYS, KEY_NAMES, LETTER_KEYS, NUMBER_KEYS } from "./key-names.ts";
import { encodeMouse, type MouseReporting, MOUSE_NAMES } from "./mouse-keys.ts";

/** The keyboard and mouse modes that the program has requested. */
export interface InputModes {
  applicationCursor: boolean;
  mouse: MouseReporting;
}

interface Modifiers {
  shift: boolean;
  alt: boolean;
  ctrl: boolean;
}

const MODIFIER = /^(ctrl|control|c|alt|meta|option|m|shift|s)[+-](?=.)/isu;
const NEAREST = 3;

/**
 * Returns the bytes that xterm sends for a key. `key` is one character or a name, with `Ctrl+`, `Alt+` and `Shift+` before it in
 * any order. A combination without a classic form is sent as `CSI code ; modifiers u`. Throws INVALID_INPUT for unknown names.
 */
export function encodeKey(key: string, modes: InputModes): string {
  const mouse = encodeMouse(key, modes.mouse);
  if (mouse !== null) return mouse;
  const { modifiers, base } = splitModifiers(key);
  const name = ALIASES.get(base.toLowerCase()) ?? base.toLowerCase();
  const higher = /^f(1[3-9]|2[0-4])$/.exec(name)?.[1];
  // F13 to F24 are F1 to F12 with Shift.
  if (higher !== undefined)
    return encodeNamed(`f${Number(higher) - 12}`, { ...modifiers, shift: true }, modes) ?? "";
  const named = encodeNamed(name, modifiers, modes);
  if (named !== null) return named;
  if ([...new Intl.Segmenter().segment(base)].length === 1) return encodeCharacter(base, modifiers);
  throw unknownKey(key, base);
}

function splitModifiers(key: string): { modifiers: Modifiers; base: string } {
  const modifiers = { shift: false, alt: false, ctrl: false };
  let base = key;
  for (let found = MODIFIER.exec(base); found !== null; found = MODIFIER.exec(base)) {
    const letter = found[1]?.charAt(0).toLowerCase();
    if (letter === "c") modifiers.ctrl = true;
    else if (letter === "s") modifiers.shift = true;
    else modifiers.alt = true;
    base = base.slice(found[0].length);
  }
  return { modifiers, base };
}

function encodeNamed(name: string, modifiers: Modifiers, modes: InputModes): string | null {
  const parameter = modifierParameter(modifiers);
  const letter = LETTER_KEYS.get(name);
  if (letter !== undefined) {
    if (parameter > 1) return `\x1b[1;${parameter}${letter}`;
    return `\x1b${modes.applicationCursor || name.startsWith("f") ? "O" : "["}${letter}`;
  }
  const number = NUMBER_KEYS.get(name);
  if (number !== undefined) return parameter > 1 ? `\x1b[${number};${parameter}~` : `\x1b[${number}~`;
  const character = CHARACTER_KEYS.get(name);
  return character === undefined ? null : encodeControlKey(name, character, modifiers);
}

/** Returns the bytes of Enter, Tab, Escape, Space or Backspace. */
function encodeControlKey(name: string, character: string, modifiers: Modifiers): string {
  const { shift, alt, ctrl } = modifiers;
  const escape = alt ? "\x1b" : "";
  if (name === "tab" && shift && !ctrl) return `${escape}\x1b[Z`;
  if (name === "space" && ctrl && !shift) return `${escape}\0`;
  if (name === "backspace" && ctrl && !shift) return `${escape}\b`;
  const isShiftLost = name === "space" || name === "backspace";
  if (!ctrl && (!shift || isShiftLost)) return escape + character;
  return extended(character, modifiers);
}

function encodeCharacter(character: string, modifiers: Modifiers): string {
  const { shift, alt, ctrl } = modifiers;
  const escape = alt ? "\x1b" : "";
  if (!ctrl) return escape + (shift ? character.toLocaleUpperCase("en") : character);
  if (!shift && /^[a-zA-Z@[\\\]^_]$/.test(character))
    return escape + String.fromCharCode(character.toUpperCase().charCodeAt(0) & 0x1f);
  if (!shift && character === "/") return `${escape}\x1f`;
  if (!shift && character === "?") return `${escape}\x7f`;
  return extended(character.toLowerCase(), modifiers);
}

function extended(character: string, modifiers: Modifiers): string {
  return `\x1b[${character.codePointAt(0) ?? 0};${modifierParameter(modifiers)}u`;
}

function modifierParameter({ shift, alt, ctrl }: Modifiers): number {
  return 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0);
}

function unknownKey(key: string, base: string): Error {
  const names = [...KEY_NAMES, ...MOUSE_NAMES];
  const near = names
    .map((name) => ({ name, away: distance(base.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.away - other.away)
    .slice(0, NEAREST)
    .map(({ name }) => name);
  return invalidInput(
    `cannot send the key ${JSON.stringify(key)}: no such key name`,
    `the nearest names are ${near.join(", ")}; also one character, and Ctrl+, Alt+ or Shift+ before a key`,
  );
}

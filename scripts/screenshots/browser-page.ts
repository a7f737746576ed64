import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { THEMES } from "../../src/agent-tty/render/index.ts";

const FONTS = join(import.meta.dirname, "../../src/agent-tty/render/fonts");

/** The bundled fonts for the browser, in this project's order of fallback. */
const FACES = [
  { family: "mono", file: "DejaVuSansMono.ttf", style: "" },
  { family: "mono", file: "DejaVuSansMono-Bold.ttf", style: "font-weight:bold;" },
  { family: "mono", file: "DejaVuSansMono-Oblique.ttf", style: "font-style:italic;" },
  { family: "mono", file: "DejaVuSansMono-BoldOblique.ttf", style: "font-weight:bold;font-style:italic;" },
  { family: "sans", file: "DejaVuSans.ttf", style: "" },
  { family: "symbols", file: "NotoSansSymbols2-Regular.ttf", style: "" },
  { family: "emoji", file: "twemoji.woff2", style: "" },
] as const;

/**
 * Chromium measures widths in whole pixels over 32 characters, and gives lines a height of 19; with these values its cells are 10
 * × 20 pixels, as ours are.
 */
const FONT_SIZE = 16.63;
const LINE_HEIGHT = 20 / 19;

/** Returns a page with xterm.js at our cell size, with our theme and our fonts; `draw(base64, cols, rows)` shows a screen. */
export async function browserPage(): Promise<string> {
  const require = createRequire(import.meta.url);
  const read = (path: string): Promise<string> => readFile(path, "utf8");
  const script = await read(require.resolve("@xterm/xterm"));
  const graphemes = await read(require.resolve("@xterm/addon-unicode-graphemes"));
  const style = await read(require.resolve("@xterm/xterm/css/xterm.css"));
  const faces = await Promise.all(
    FACES.map(async ({ family, file, style }) => {
      const data = (await readFile(join(FONTS, file))).toString("base64");
      return `@font-face{font-family:${family};${style}src:url(data:font/${file.endsWith("woff2") ? "woff2" : "ttf"};base64,${data})}`;
    }),
  );
  const { background, foreground, cursor, ansi } = THEMES.dark;
  const theme = JSON.stringify({ background, foreground, cursor, ...named(ansi) });
  return `<!doctype html><meta charset="utf-8"><style>${style}${faces.join("")}
body{margin:0;background:${background}}#terminal{position:absolute;left:10px;top:10px}.xterm-cursor{background:none!important;outline:none!important;border:none!important;box-shadow:none!important}</style>
<div id="terminal"></div><script>${script}</script><script>${graphemes}</script><script>
const families = ["mono", "bold mono", "italic mono", "italic bold mono", "sans", "symbols", "emoji"];
async function ready() {
  for (const family of families) await document.fonts.load(family.replace(/(\\w+)$/, "16px $1"), "a\\u2800\\u23fa\\u{1f642}");
}
let terminal;
async function draw(base64, cols, rows) {
  terminal?.dispose();
  terminal = new Terminal({ cols, rows, allowProposedApi: true, fontFamily: "mono, emoji, sans, symbols", fontSize: ${FONT_SIZE},
    lineHeight: ${LINE_HEIGHT}, theme: ${theme}, cursorInactiveStyle: "none", cursorBlink: false, scrollback: 0 });
  terminal.loadAddon(new UnicodeGraphemesAddon.UnicodeGraphemesAddon());
  terminal.open(document.getElementById("terminal"));
  await new Promise((done) => terminal.write(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)), done));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const screen = document.querySelector(".xterm-screen").getBoundingClientRect();
  if (screen.width !== cols * 10 || screen.height !== rows * 20)
    throw new Error(\`the browser's cells are \${screen.width / cols} by \${screen.height / rows}\`);
}
</script>`;
}

function named(ansi: readonly string[]): Record<string, string> {
  const names = "black red green yellow blue magenta cyan white".split(" ");
  const bright = names.map((name) => `bright${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  return Object.fromEntries([...names, ...bright].map((name, index) => [name, ansi[index] ?? ""]));
}

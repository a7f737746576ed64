import { createRequire } from "node:module";
import type { Terminal } from "@xterm/headless";
import { expect, test } from "vitest";
import { createScreen } from "../../src/agent-tty/screen/index.ts";
import { needsWideCharacters } from "../../src/board/page/terminal/wide-characters.ts";

const require = createRequire(import.meta.url);
const { Terminal: HeadlessTerminal } = require("@xterm/headless") as typeof import("@xterm/headless");
/** Returns the cursor's column after each text, written from the start of the line. */
async function columnsOf(terminal: Terminal, texts: readonly string[]): Promise<number[]> {
  const columns: number[] = [];
  for (const text of texts) {
    await new Promise<void>((resolve) => terminal.write(`\r${text}`, resolve));
    columns.push(terminal.buffer.active.cursorX);
  }
  return columns;
}

test("characters that load no script are as wide as in Unicode 15, next to each other as well (B12)", async () => {
  const all = Array.from({ length: 0xffff }, (_, index) => String.fromCharCode(index + 1));
  const plain = all.filter(
    (character) => !/[\p{Cc}\p{Cs}\p{Cn}]/u.test(character) && !needsWideCharacters(character),
  );
  expect(plain.length).toBeGreaterThan(2_500);
  const texts = Array.from({ length: Math.ceil(plain.length / 20) }, (_, index) =>
    plain.slice(index * 20, (index + 1) * 20).join(""),
  );
  const terminal = new HeadlessTerminal({ cols: 80, allowProposedApi: true });
  // The engine's screen uses the widths of Unicode 15.
  using screen = createScreen({ cols: 80, rows: 24 });
  const expected = texts.map((text, index) => {
    screen.write(Buffer.from(`\r${text}`), index + 1);
    return screen.snapshot().cursor.col;
  });
  expect(await columnsOf(terminal, texts)).toEqual(expected);
  terminal.dispose();
});

test("emoji, combining characters and other scripts load the script of wide characters (B12)", () => {
  for (const text of ["✅", "👩‍💻", "e\u0301", "漢", "한", "ไทย", "☁\ufe0f"])
    expect([text, needsWideCharacters(text)]).toEqual([text, true]);
  for (const text of ["", "plain\n", "\u001b[31m│ ❯ ✻ ⏺ naïve é", "Ελλάς Кириллица"])
    expect([text, needsWideCharacters(text)]).toEqual([text, false]);
});

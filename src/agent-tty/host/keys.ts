import { invalidInput } from "./engine-error.ts";

const CURSOR: Readonly<Record<string, string>> = {
  Up: "A",
  Down: "B",
  Right: "C",
  Left: "D",
  Home: "H",
  End: "F",
};

const FIXED: Readonly<Record<string, string>> = {
  Enter: "\r",
  Return: "\r",
  Tab: "\t",
  "Shift+Tab": "\x1b[Z",
  Escape: "\x1b",
  Esc: "\x1b",
  Space: " ",
  Backspace: "\x7f",
  Delete: "\x1b[3~",
  Insert: "\x1b[2~",
  PageUp: "\x1b[5~",
  PageDown: "\x1b[6~",
  F1: "\x1bOP",
  F2: "\x1bOQ",
  F3: "\x1bOR",
  F4: "\x1bOS",
  F5: "\x1b[15~",
  F6: "\x1b[17~",
  F7: "\x1b[18~",
  F8: "\x1b[19~",
  F9: "\x1b[20~",
  F10: "\x1b[21~",
  F11: "\x1b[23~",
  F12: "\x1b[24~",
};

/** What a terminal sends for a key name. Throws INVALID_INPUT for a name it does not know. */
export function encodeKey(key: string, isApplicationCursor: boolean): string {
  const cursor = CURSOR[key];
  if (cursor !== undefined) return `\x1b${isApplicationCursor ? "O" : "["}${cursor}`;
  const fixed = FIXED[key];
  if (fixed !== undefined) return fixed;
  const control = /^(?:Ctrl|C)[+-]([a-zA-Z@[\\\]^_])$/.exec(key)?.[1];
  if (control !== undefined) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f);
  const meta = /^(?:Alt|M)[+-](.+)$/u.exec(key)?.[1];
  if (meta !== undefined) return `\x1b${encodeKey(meta, isApplicationCursor)}`;
  if (/^.$/su.test(key)) return key;
  throw invalidInput(
    `cannot send the key ${JSON.stringify(key)}: no such key name`,
    `use one character, Ctrl+X, Alt+X, or one of ${[...Object.keys(CURSOR), ...Object.keys(FIXED)].join(", ")}`,
  );
}

import { invalidInput } from "./engine-error.ts";

export const MAX_PENDING_INPUT_BYTES = 4 * 1024 * 1024;
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_INPUT_BYTES = 4 * 1024 * 1024;
const MAX_LABEL_CHARACTERS = 200;
const MAX_COLS = 1_000;
const MAX_ROWS = 1_000;

/** Throws INVALID_INPUT if typed or pasted text is too long. A command line has a lower limit. */
export function checkInput(text: string): void {
  checkText(text, MAX_INPUT_BYTES);
}

/** Throws INVALID_INPUT if the text has more than `maxBytes` bytes of UTF-8. */
export function checkText(text: string, maxBytes = MAX_TEXT_BYTES): void {
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes <= maxBytes) return;
  throw invalidInput(
    `cannot type ${sizeBytes} bytes at once: the limit is ${maxBytes}`,
    "put the content into a file that the program reads, or send it in parts",
  );
}

/** Throws INVALID_INPUT for a name or a label that is empty or too long; it is shown on one line. `what`: `name` or `label`. */
export function checkLabel(what: string, text: string): void {
  const length = text.length;
  if (length >= 1 && length <= MAX_LABEL_CHARACTERS) return;
  throw invalidInput(
    `cannot take a ${what} of ${length} characters`,
    `give one of 1 to ${MAX_LABEL_CHARACTERS} characters`,
  );
}

/** Throws INVALID_INPUT for a command line that is too long or contains a NUL character. */
export function checkCommandLine(commandLine: string): void {
  checkText(commandLine);
  if (!commandLine.includes("\0")) return;
  throw invalidInput("cannot run a command line that contains a NUL character", "remove it");
}

/** Throws INVALID_INPUT unless both are whole numbers within the limits of a terminal. */
export function checkSize(cols: number, rows: number): void {
  const isSize = (value: number, max: number): boolean =>
    Number.isInteger(value) && value >= 1 && value <= max;
  if (isSize(cols, MAX_COLS) && isSize(rows, MAX_ROWS)) return;
  throw invalidInput(
    `cannot create a terminal of ${cols} columns and ${rows} rows`,
    `give whole numbers from 1 to ${MAX_COLS} columns and 1 to ${MAX_ROWS} rows`,
  );
}

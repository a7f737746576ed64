/** Texts that two reports of one failure share exactly. They are shown to people and not used for the ranking. */
export interface Fingerprints {
  /** Function names of stack frames, in the order of the text. */
  frames: string[];
  /** Names of errors and error lines with their numbers replaced by `#`. */
  errors: string[];
}

const MAX_KEPT = 20;
const MAX_CHARACTERS = 16_384;
const FRAME =
  /^[\t ]*at\s+(?:async\s+|new\s+)?([\w$.<>[\]]{2,120})\s*\(|^[\t ]*File "[^"\n]{1,200}", line \d+, in (\w{2,80})/gm;
const ERROR_NAME = /\b(?:[a-zA-Z_$][\w$]{0,60}\.){0,8}[A-Z][\w$]{0,60}(?:Exception|Error)\b/g;
const ERROR_LINE =
  /^[^\n]{0,200}\b(?:\w{0,40}(?:error|exception)|cannot|panic|assertion failed|segmentation fault)\b[^\n]{0,200}$/gim;

/** Returns the fingerprints in the first 16,384 characters of a text, at most 20 of each kind. */
export function fingerprintsOf(whole: string): Fingerprints {
  const text = whole.slice(0, MAX_CHARACTERS);
  const frames = [...text.matchAll(FRAME)].map((match) => match[1] ?? match[2] ?? "");
  const names = [...text.matchAll(ERROR_NAME)].map(([name]) => name.split(".").at(-1) ?? name);
  const lines = [...text.matchAll(ERROR_LINE)]
    .map(([line]) => normalLine(line))
    .filter((line) => line.length > 15);
  return { frames: distinct(frames), errors: distinct([...names, ...lines]) };
}

function normalLine(line: string): string {
  return line
    .toLowerCase()
    .replaceAll(/0x[\da-f]+|\d+/g, "#")
    .replaceAll(/[^\p{L}#]+/gu, " ")
    .trim();
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== "").slice(0, MAX_KEPT);
}

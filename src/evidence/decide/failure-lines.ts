/** Matches lines that say what failed. The other lines say what the program did before. */
const TELLING = /error|exception|panic|assert|fail|fatal|traceback|cannot|undefined|segmentation|abort/i;
const MAX_LINES = 3;
const MAX_CHARACTERS_OF_LINE = 500;
const ERROR_LINE =
  /^(?:[\t ]*(?:Uncaught\s+|Caused by:\s+|thread '[^'\n]{0,80}' )?)((?:[\w$]{1,60}[.:]{1,2}){0,6}[\w$]{0,60}(?:Error|Exception|panic(?:ked)?)\b[^\n]{0,300})$/m;

/**
 * Returns up to three lines that say how a run failed, without details that differ between machines or minutes (paths, numbers,
 * addresses, times), in lower case. If no line says it, these are the last lines.
 */
export function failureLines(output: string): string[] {
  const lines = output
    .split("\n")
    .map((line) => normalised(line.slice(0, MAX_CHARACTERS_OF_LINE)))
    .filter((line) => line !== "");
  const telling = lines.filter((line) => TELLING.test(line)).slice(0, MAX_LINES);
  return telling.length > 0 ? telling : lines.slice(-MAX_LINES);
}

/**
 * Returns the first error that a run time has printed, with its message; null: none. Numbers are replaced, so that places and
 * addresses do not matter.
 */
export function printedMessage(output: string): string | null {
  const message = ERROR_LINE.exec(output)?.[1];
  return message === undefined ? null : message.replaceAll(/0x[\da-f]+|\d+/gi, "#").trim();
}

function normalised(line: string): string {
  return line
    .replaceAll(/(?:[A-Za-z]:)?(?:[\w.~-]*[/\\])+/g, "")
    .replaceAll(/0x[0-9a-f]+/gi, "#")
    .replaceAll(/\b[0-9a-f]{7,64}\b/gi, "#")
    .replaceAll(/\d+(?:\.\d+)*/g, "#")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

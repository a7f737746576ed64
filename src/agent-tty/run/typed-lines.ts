/** The tty's canonical mode cuts a line at 4,096 bytes; typed lines stay below that. */
const MAX_LINE_BYTES = 1_000;
const PLAIN_LINE_BYTES = 4_000;

/**
 * Returns the lines to type so that bash runs `commandLine` as one command. A plain single line is typed unchanged. A longer
 * line, several lines, or control characters, on which the tty would act, become `eval $'…'` continued over short lines. A syntax
 * error then ends the whole command, whereas lines typed separately after the error would still run.
 */
export function typedForBash(commandLine: string): string {
  const isPlain = !/[\x00-\x1f\x7f]/.test(commandLine) && Buffer.byteLength(commandLine) <= PLAIN_LINE_BYTES;
  if (isPlain) return commandLine;
  const pieces = shortPieces(commandLine).map((piece) => `$'${ansiCEscape(piece)}'`);
  return `eval ${pieces.join("\\\n")}`;
}

/**
 * Returns the lines to type to a POSIX shell without our hooks; newlines stay inside the quotes. `command` keeps a syntax error
 * from ending the whole typed line, because eval is a special builtin. zsh would look for an external program instead, so it gets
 * `builtin`. Other control characters would act on the terminal or the line editor, and not every shell has `$'…'`, so `printf`
 * produces them.
 */
export function evalForPosix(commandLine: string, isZsh: boolean): string {
  const word = isZsh ? "\\builtin" : "\\command";
  const quote = (escape: (piece: string) => string): string =>
    shortPieces(commandLine)
      .map((piece) => `'${escape(piece)}'`)
      .join("\\\n");
  if (!/[\x00-\x09\x0b-\x1f\x7f]/.test(commandLine))
    return `${word} eval ${quote((piece) => piece.replaceAll("'", "'\\''"))}`;
  // `$?` is restored, so that the command can read it.
  return `${word} eval "$(${word} set -- "$?"; ${word} printf '%b' ${quote(octalEscape)}; ${word} exit "$1")"`;
}

/**
 * Returns the lines to type to a bash or zsh with our hooks, as one `eval` command. They work even if `eval` is an alias or a
 * function.
 */
export function evalWithHooks(commandLine: string): string {
  const pieces = shortPieces(commandLine).map((piece) => `$'${ansiCEscape(piece)}'`);
  return `\\builtin eval ${pieces.join("\\\n")}`;
}

/** Returns how many continuation prompts a complete command of these lines can show. */
export function expectedContinuations(typed: string): number {
  return typed.split("\n").length - 1;
}

/** Returns a text in pieces that end after line ends and before a piece gets too long, never inside a character. */
function shortPieces(text: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  let pieceBytes = 0;
  for (const character of text) {
    const bytes = Buffer.byteLength(character);
    if (pieceBytes + bytes > MAX_LINE_BYTES / 4) {
      pieces.push(piece);
      [piece, pieceBytes] = ["", 0];
    }
    piece += character;
    pieceBytes += bytes;
    if (character === "\n") {
      pieces.push(piece);
      [piece, pieceBytes] = ["", 0];
    }
  }
  if (piece !== "" || pieces.length === 0) pieces.push(piece);
  return pieces;
}

function ansiCEscape(text: string): string {
  return text.replace(/[\\'\x00-\x1f\x7f]/g, (character) => {
    if (character === "\\" || character === "'") return `\\${character}`;
    if (character === "\n") return "\\n";
    if (character === "\t") return "\\t";
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
}

/** Returns a text escaped for `printf '%b'` inside double quotes, where a shell with a history expands `!`. */
function octalEscape(text: string): string {
  return text.replace(
    /[\x00-\x1f\x7f\\'!]/g,
    (character) => `\\0${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
}

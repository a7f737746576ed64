/** The tty's canonical mode cuts a line at 4,096 bytes; typed lines stay far below. */
const MAX_LINE_BYTES = 1_000;
const PLAIN_LINE_BYTES = 4_000;

/**
 * The lines to type so that bash runs `commandLine` as one command. A plain single line is typed as it is; anything
 * with more lines, control characters (the tty would act on them) or a longer line becomes `eval $'…'` continued over
 * short lines: a syntax error then ends the whole command, where separately typed lines after the error would still
 * run.
 */
export function typedForBash(commandLine: string): string {
  const isPlain = !/[\x00-\x1f\x7f]/.test(commandLine) && Buffer.byteLength(commandLine) <= PLAIN_LINE_BYTES;
  if (isPlain) return commandLine;
  const pieces = shortPieces(commandLine).map((piece) => `$'${ansiCEscape(piece)}'`);
  return `eval ${pieces.join("\\\n")}`;
}

/**
 * The same for a POSIX shell that is not ours; newlines stay inside the quotes. `command` keeps a syntax error from
 * ending the whole typed line (eval is a special builtin); in zsh it would look for a program instead.
 */
export function evalForPosix(commandLine: string, isZsh: boolean): string {
  const pieces = shortPieces(commandLine).map((piece) => `'${piece.replaceAll("'", "'\\''")}'`);
  return `${isZsh ? "\\builtin eval" : "\\command eval"} ${pieces.join("\\\n")}`;
}

/** Typed as one command of bash or zsh, also where `eval` is an alias or a function. */
export function evalWithHooks(commandLine: string): string {
  const pieces = shortPieces(commandLine).map((piece) => `$'${ansiCEscape(piece)}'`);
  return `\\builtin eval ${pieces.join("\\\n")}`;
}

/** How many continuation prompts a complete command of these lines can show. */
export function expectedContinuations(typed: string): number {
  return typed.split("\n").length - 1;
}

/** Cut after line ends and before a piece grows long; never inside a character. */
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

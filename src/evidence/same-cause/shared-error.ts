import { printedMessage } from "../decide/index.ts";

/** Matches failed assertions of the script itself, which two scripts may share, no matter what they test. */
const JUDGEMENT = /assert|expect|ERR_TEST_FAILURE/i;
const FRAME =
  /^[\t ]*at\s+(?:async\s+|new\s+)?([\w$.<>[\]]{2,120})\s*\((?!node:)([^()\n]{1,300})\)|^[\t ]*File "([^"\n]{1,300})", line \d+, in (\w{2,80})/gm;
const MAX_CHARACTERS = 20_000;

/** An error that the product threw, as a script printed it. */
export interface PrintedError {
  /** Numbers are replaced, so that positions and addresses do not matter. */
  readonly message: string;
  /** The innermost function in a file of the product. */
  readonly thrownBy: string;
}

/**
 * Returns the error and its innermost frame in one of the product's files; null: there is none, or it is a failed assertion of the
 * script.
 */
export function printedError(output: string, productFiles: readonly string[]): PrintedError | null {
  const text = output.slice(0, MAX_CHARACTERS);
  const message = printedMessage(text);
  if (message === null || JUDGEMENT.test(message)) return null;
  const frames = [...text.matchAll(FRAME)].map((found) => ({
    name: found[1] ?? found[4] ?? "",
    file: (found[2] ?? found[3] ?? "").replace(/(?::\d+){1,2}$/, ""),
  }));
  const isPython = text.includes("Traceback (most recent call last)");
  const innermost = (isPython ? frames.toReversed() : frames).find(({ file }) =>
    productFiles.some((one) => file.endsWith(`/${one}`)),
  );
  return innermost === undefined ? null : { message, thrownBy: innermost.name };
}

/** Returns the error that ties two scripts, in one line; null: the scripts end differently. */
export function sharedError(first: PrintedError | null, second: PrintedError | null): string | null {
  if (first === null || second === null) return null;
  const isSame = first.message === second.message && first.thrownBy === second.thrownBy;
  return isSame ? `${first.message} in ${first.thrownBy}`.slice(0, 200) : null;
}

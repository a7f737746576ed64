import { MEASURED_SHAPES, type SecretShape, TELLING_SHAPES } from "./secret-shapes.ts";
import { hasShape, shapeMatches } from "./shape-matches.ts";
import { signTable } from "./sign-runs.ts";
import { type Range, withoutPattern } from "./undisguised.ts";

/** A line break inside a word, as a terminal wraps it or a program continues a string, with the beginning of the next line. */
const LINE_END = /(?<=\S)\\?\r?\n[ \t>|*#]{0,20}(?=\S)|["'] ?[+.&] ?\\?\s{0,20}["']/g;
/** All characters except letters, digits and the others that occur in tokens. */
const BETWEEN = /[^A-Za-z0-9_-]+/g;
const LETTER = signTable(/[A-Za-z0-9_-]/);
/**
 * The minimum number of changes between letters and digits. They alternate in random text, but not in words that happen to follow a
 * prefix.
 */
const MIN_TURNS = 5;
/**
 * The maximum length of a text that is searched for tokens in pieces. Longer texts are logs, in which only words broken by a line
 * end are joined.
 */
const JOINED_MAX_CHARACTERS = 300_000;

/**
 * Returns the ranges of the pieces, in order, of each token that is split over several lines, into pieces or into single letters
 * (S18).
 */
export function splitSecrets(text: string): Range[][] {
  const spread = text.length <= JOINED_MAX_CHARACTERS ? joined(text, BETWEEN, MEASURED_SHAPES, isRandom) : [];
  return [...joined(text, LINE_END, TELLING_SHAPES, () => true), ...spread];
}

/** Returns the text without the characters that BETWEEN matches. It is fast if every character is a byte. */
function lettersOf(text: string): string {
  if (/[^\x00-\xff]/.test(text)) return text.replaceAll(BETWEEN, "");
  const bytes = Buffer.from(text, "latin1");
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    bytes[count] = byte;
    count += LETTER[byte] as number;
  }
  return bytes.toString("latin1", 0, count);
}

function joined(
  text: string,
  gap: RegExp,
  shapes: readonly SecretShape[],
  isSecret: (secret: string) => boolean,
): Range[][] {
  // The positions of the pieces are computed only for the few texts that contain a match.
  const whole = gap === BETWEEN ? lettersOf(text) : text.replaceAll(gap, "");
  const found = shapeMatches(shapes, whole).filter(([secret]) => isSecret(secret));
  const view = found.length === 0 ? null : withoutPattern(text, gap);
  if (view === null) return [];
  return found
    .map(({ 0: secret, index }) => view.rangesOf(index, index + secret.length))
    .filter((pieces) => pieces.length > 1 && !pieces.some((piece) => isWhole(text.slice(...piece))));
}

/**
 * Returns whether the piece contains a whole token: such a token is found without joining, and the text after it is not part of it.
 */
function isWhole(piece: string): boolean {
  return hasShape(TELLING_SHAPES, piece);
}

function isRandom(secret: string): boolean {
  return (secret.slice(4).match(/[a-z](?=[0-9])|[0-9](?=[a-z])/gi)?.length ?? 0) >= MIN_TURNS;
}

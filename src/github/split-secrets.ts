import { MEASURED_SHAPES, TELLING_SHAPES } from "./secret-shapes.ts";
import { type Range, withoutPattern } from "./undisguised.ts";

/** An end of a line inside a word, as a terminal wraps it or a program continues it, with what begins the next line. */
const LINE_END = /(?<=\S)\\?\r?\n[ \t>|*#]{0,20}(?=\S)|["'] ?[+.&] ?\\?\s{0,20}["']/g;
/** Everything but letters, digits and what else stands in a token. */
const BETWEEN = /[^A-Za-z0-9_-]+/g;
/** Letters and digits take turns in what is random, not in words that happen to follow a prefix. */
const MIN_TURNS = 5;
/** Longer texts are logs, where words alone are joined. */
const JOINED_MAX_CHARACTERS = 300_000;

/** S18: tokens over several lines, in pieces or in single letters. Of each, its pieces in the text, in order. */
export function splitSecrets(text: string): Range[][] {
  const spread = text.length <= JOINED_MAX_CHARACTERS ? joined(text, BETWEEN, MEASURED_SHAPES, isRandom) : [];
  return [...joined(text, LINE_END, TELLING_SHAPES, () => true), ...spread];
}

function joined(
  text: string,
  gap: RegExp,
  shapes: readonly RegExp[],
  isSecret: (secret: string) => boolean,
): Range[][] {
  // Where each piece stands is worked out for the few texts that hold one.
  const whole = text.replaceAll(gap, "");
  const found = shapes.flatMap((shape) => [...whole.matchAll(shape)]).filter(([secret]) => isSecret(secret));
  const view = found.length === 0 ? null : withoutPattern(text, gap);
  if (view === null) return [];
  return found
    .map(({ 0: secret, index }) => view.rangesOf(index, index + secret.length))
    .filter((pieces) => pieces.length > 1 && !pieces.some((piece) => isWhole(text.slice(...piece))));
}

/** A token in one piece is found as it is, and what follows it is no part of it. */
function isWhole(piece: string): boolean {
  return TELLING_SHAPES.some((shape) => piece.search(shape) !== -1);
}

function isRandom(secret: string): boolean {
  return (secret.slice(4).match(/[a-z](?=[0-9])|[0-9](?=[a-z])/gi)?.length ?? 0) >= MIN_TURNS;
}

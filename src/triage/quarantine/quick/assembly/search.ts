import { isDecodedIn } from "./decoded";
import { foldText } from "./fold";
import { endText, mark, release, take } from "./memory";
import { isSpreadIn } from "./readings";
import { isInAny } from "./sieves";
import { unescape, UNCHANGED } from "./unescape";
import {
  hasByte,
  hasEscapes,
  hasHigh,
  mayCommand,
  normalised,
  stripped,
  withoutCommands,
  withoutOverwritten,
} from "./view";

const BACKSPACE: u8 = 0x08;
/** How many levels of escapes the search removes. */
const UNESCAPES = 4;

/**
 * Returns whether a search of the text, in which each character is one byte, may find a secret. At least 64 zero bytes must follow
 * the text.
 */
export function isAnyIn(text: usize, length: usize): bool {
  const marked = mark();
  const isFound = isInRaw(text, length);
  release(marked);
  return isFound;
}

/** The folded letters of the text that was searched last. */
let letters: usize = 0;
let count: usize = 0;

function isInLettersOf(text: usize, length: usize): bool {
  letters = take(length);
  count = foldText(text, length, letters);
  endText(letters, count);
  return isInAny(letters, count);
}

function isInRaw(text: usize, length: usize): bool {
  let shown = text;
  let shownLength = length;
  if (hasByte(text, length, BACKSPACE)) {
    shown = take(length);
    shownLength = withoutOverwritten(text, length, shown);
    endText(shown, shownLength);
  }
  let plain = take(shownLength);
  let plainLength = stripped(shown, shownLength, plain);
  endText(plain, plainLength);
  // If none of these applies, the text has the same letters as its plain form.
  const isOtherwise = hasEscapes || hasHigh || shown != text;
  if (mayCommand(plain, plainLength)) {
    const inert = take(plainLength + plainLength / 2 + 16);
    plainLength = withoutCommands(plain, plainLength, inert);
    plain = inert;
    endText(plain, plainLength);
  }
  if (hasHigh) {
    const ascii = take(3 * plainLength);
    plainLength = normalised(plain, plainLength, ascii);
    plain = ascii;
    endText(plain, plainLength);
  }
  return (isOtherwise && isInLettersOf(text, length)) || isInPlain(plain, plainLength);
}

function isInPlain(text: usize, length: usize): bool {
  if (isInLettersOf(text, length)) return true;
  for (let times = 0; times < UNESCAPES; times += 1) {
    const next = take(length);
    const nextLength = unescape(text, length, next);
    if (nextLength == UNCHANGED) {
      release(next);
      break;
    }
    endText(next, nextLength);
    text = next;
    length = nextLength;
    if (isInLettersOf(text, length)) return true;
  }
  return isSpreadIn(text, length, letters, count) || isDecodedIn(text, length, 1);
}

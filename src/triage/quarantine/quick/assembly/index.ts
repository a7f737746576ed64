import { endText, take } from "./memory";
import { isAnyIn } from "./search";
import { isMaskedIn } from "./tokens";

export { addSieve } from "./sieves";
export { take } from "./memory";
export { PLAIN } from "./view";

let input: usize = 0;
let inputSize: usize = 0;

/** Returns where the host has to write a text of this many bytes. */
export function inputOf(bytes: usize): usize {
  if (bytes > inputSize) {
    input = take(bytes);
    inputSize = bytes;
  }
  return input;
}

/** Returns whether the search may find a secret in the text that the host wrote. */
export function mayHoldSecret(length: usize): bool {
  endText(input, length);
  return isAnyIn(input, length);
}

/** Returns whether a token-shaped string may be in the text that the host wrote. */
export function mayHoldToken(length: usize): bool {
  endText(input, length);
  return isMaskedIn(input, length);
}

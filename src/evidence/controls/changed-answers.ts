import type { HeardOfProduct } from "./heard-of-product.ts";
import type { NamedAnswer } from "./named-answer.ts";
import { RUNS_TEXT } from "./script-data.ts";

const MAX_NAMES = 2;
/** Matches the name of a property for which a script asks an object or a list of its keys. */
const ASKED_NAME =
  /(?:\b(?:includes|hasOwnProperty|hasOwn|indexOf|has)\((?:\w+,\s*)?("[^"\n]{1,40}"|'[^'\n]{1,40}')\)|("[^"\n]{1,40}"|'[^'\n]{1,40}')\s+in\s+\w|\.([a-zA-Z_$][\w$]*)\s*!==?\s*undefined\b)/g;

/** The answer for a script about an effect that a call has beside its changes of its arguments, such as on all objects. */
const EFFECTS: NamedAnswer = { candidate: "effects", isLeaf: false, only: "effects" };

/**
 * Returns the answers that are not in the script's text, because they are made from the arguments of the call or from its own answer:
 * a copy of the first argument, all arguments merged, or the JSON or the source text of the first one; or the own answer with whole
 * numbers, without white space, sorted, with each element once, or without a property that the script asks for.
 */
export function changedAnswers(text: string, heard: HeardOfProduct): NamedAnswer[] {
  const words = [
    ...(heard.hasInnerValues ? ["copy", "merged"] : []),
    ...(/\bJSON\.stringify\(/.test(text) ? ["json"] : []),
    ...(RUNS_TEXT.test(text) ? ["source"] : []),
  ];
  const changes = [
    ...(heard.isAnsweringFractions ? ["rounded"] : []),
    ...(heard.isAnsweringSpaces ? ["trimmed"] : []),
    ...(heard.isGivenFunctions && heard.isAnsweringFunctions ? ["properties"] : []),
    ...(heard.isAnsweringLists ? ["unique", "sorted"] : []),
    ...(heard.hasInnerValues || heard.isAnsweringJson
      ? askedNames(text).map((name) => `without ${name}`)
      : []),
  ];
  return [
    ...(heard.isChangingArguments ? [EFFECTS] : []),
    ...words.map((candidate): NamedAnswer => ({ candidate, isLeaf: false })),
    ...changes.map((candidate): NamedAnswer => ({ candidate, isLeaf: false, only: "changed" })),
  ];
}

function askedNames(text: string): string[] {
  const names = [...text.matchAll(ASKED_NAME)].map(
    ([, asked, inside, read = ""]) => asked ?? inside ?? JSON.stringify(read),
  );
  return [...new Set(names)].slice(0, MAX_NAMES);
}

import { besideData, besideInner, ofFields, ofParts, ofSomeCalls } from "./answers-in-part.ts";
import { comparedInShell } from "./compared-in-shell.ts";
import { diffsInOutput } from "./diffs-in-output.ts";
import { documentsIn, isComparedAsFile, isWrittenAsExpected } from "./documents-in.ts";
import { thrown } from "./expected-errors.ts";
import type { HeardOfProduct } from "./heard-of-product.ts";
import { lengthsAndCounts } from "./lengths-and-counts.ts";
import type { Found, NamedAnswer } from "./named-answer.ts";
import { nestedObjects, objectsWithChains, splitTexts } from "./nested-objects.ts";
import { objectsOfKeys } from "./objects-of-keys.ts";
import { expectedInWords, placesOf } from "./places-of-output.ts";
import { replacingPatterns } from "./replacing-patterns.ts";
import {
  assignedAsExpected,
  bracketsIn,
  BUILT,
  charactersIn,
  comparedFields,
  dataIn,
  jsonTextsIn,
  LITERAL,
  NOT_A_TYPE,
} from "./script-data.ts";
import { unquoted } from "./shell-quotes.ts";
import { textOfPattern } from "./text-of-pattern.ts";
import { valuesOfAskedTypes, valuesOfTypes } from "./values-of-types.ts";

const MAX_ANSWERS = 12;
const MAX_PRINTED = 4;
/** Words before a literal that show that the script expects it. */
const WANTED =
  /(?:(?:want|expect|should|equal|deep|same|correct|right|good|target|desire|soll|erwart|attend|esper)\w*|[!=]==?|(?<!=)[<>]=?)\W{0,12}$/i;
const CHECK = /\b(?:is|\w{0,20}(?:assert|expect|equal|same|toBe))\w*\s*\(/gi;
/** A literal after one of these is a length, and not an answer. */
const MEASURED = /\.(?:length|size)\s*(?:[!=]==?|[<>]=?)\s*$/;
/** A literal after one of these words decides how the script ends or what it prints. */
const OUTGOING = /(?:exit(?:Code)?|log|error|write|echo|printf|fail|Error)\s*[(=]?\s*$/;
/** A pattern with which a script tests an answer. */
const TESTED =
  /\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){1,40}\]){1,80})\/[a-z]*\.test\(|(?:\.match|\bmatch|toMatch|doesNotMatch)\((?:[^;\n]{0,200},\s*)?\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){1,40}\]){1,80})\/[a-z]*\s*\)/g;
/** Words of a script that repeats something for each of its data. */
const REPEATS = /\b(?:for|while|forEach|map|every|some|filter|find|each|xargs)\b/;
/** For a product that fails while it loads: its source text is omitted, and it accepts every call. */
const LOADS: NamedAnswer = { candidate: "loads", isLeaf: false };
/** For a script that expects one holder of a lock, or one task of a queue, at a time. */
const TURNS: NamedAnswer = { candidate: "in turn", isLeaf: false, only: "turns" };
/** For a script about a way there and back: `parse(stringify(x))`. */
const BACK: NamedAnswer = { candidate: "given", isLeaf: false, only: "back" };
/** For a claim that the code of the product brings about while it loads, and none of its answers does. */
const RECORDS: NamedAnswer = { candidate: "records", isLeaf: false, only: "records" };
/** The unchanged product, under a manifest that lets every file be found. */
const MANIFEST: NamedAnswer = { candidate: "manifest", isLeaf: false };

/**
 * Returns the answers that a script itself names: its literals, first those that it compares with. A script that checks the
 * answer succeeds with one of them; a script that always prints its text does not. `claimed` is the claim's text, which does not
 * count as an answer.
 */
export function namedAnswers(script: string, claimed: string | null, heard: HeardOfProduct): NamedAnswer[] {
  const program = unquoted(script);
  const text = program
    .replaceAll(/(<<-?\s*)(["'])(\w+)\2/g, "$1$3")
    .replaceAll(/(?<!\.)\b(?:require|import|from)\s*\(?\s*(?:"[^"]*"|'[^']*')/g, "");
  const assigned = assignedAsExpected(text);
  const read = [
    ...valuesOfTypes(text, assigned),
    ...documentsIn(program),
    ...compared(text),
    ...brackets(text),
    ...literals(text),
    ...printed(heard.output),
  ];
  const rank = ({ expression, isWanted }: Found): number => (assigned.has(expression) ? 2 : Number(isWanted));
  const known = read
    .map(({ expression, isWanted }) => ({ expression, isWanted: isWanted || assigned.has(expression) }))
    .toSorted((a, b) => rank(b) - rank(a));
  const built = [
    ...objectsOfKeys(text, known),
    ...(heard.isAnsweringInstances ? [] : objectsWithChains(text, known)),
    ...replacingPatterns(text, assigned),
  ];
  const found = [...known.slice(0, 2), ...built, ...known.slice(2)].toSorted((a, b) => rank(b) - rank(a));
  const said = claimed?.trim() ?? "";
  const isText = (expression: string): boolean => said.length > 2 && expression.includes(said);
  const unique = found
    .filter((one, index) => found.findIndex(({ expression }) => expression === one.expression) === index)
    .filter(({ expression }) => !isText(expression))
    .slice(0, MAX_ANSWERS);
  const named = unique.flatMap(({ expression, isWanted }, index): NamedAnswer[] => {
    const whole = { candidate: expression, isLeaf: false, isWanted };
    const inner = { candidate: expression, isLeaf: true, isWanted };
    return heard.hasInnerValues && index < 6 ? [whole, inner] : [whole];
  });
  return [
    ...(heard.hasLoaded ? [] : [LOADS]),
    ...named.slice(0, 2),
    ...ofFields(text),
    ...(heard.hasSeveralCalls ? ofSomeCalls(unique, dataIn(text), heard.isThrowing) : ofCases(text)),
    ...(heard.hasInnerValues || heard.hasInstances ? ofParts(text, unique) : []),
    ...(heard.hasInnerValues && heard.hasSeveralCalls ? besideInner(dataIn(text)) : []),
    ...named.slice(2),
    { candidate: "identity", isLeaf: false },
    ...spread(unique, heard),
    ...calls(text, heard),
    ...ofOutput(said, heard),
    ...(heard.isPromising ? [TURNS] : []),
    ...thrown(text),
    ...thrownLater(text, heard),
    ...(heard.hasLoaded ? [RECORDS] : []),
    MANIFEST,
  ];
}

/** Returns the answers for a script that may end at the first case of a table: only one call of it was heard. */
function ofCases(text: string): NamedAnswer[] {
  return REPEATS.test(text) ? besideData(dataIn(text)) : [];
}

/**
 * Returns the lists of answers that the script's functions should collect. Empty lists, with which a script often starts to
 * collect, are excluded: its functions would not be called, and a script that prints its text in one of them would print nothing.
 */
function spread(found: readonly Found[], { isGivenFunctions }: HeardOfProduct): NamedAnswer[] {
  const lists = found.filter(
    ({ expression, isWanted }) => isWanted && /^\[\s*[^\s\]]|\.split\(","\)$/.test(expression),
  );
  const all = isGivenFunctions ? lists.slice(0, 3) : [];
  return all.map(({ expression }) => ({ candidate: expression, isLeaf: false, isSpread: true }));
}

/** Returns the answers that fix how often the product calls the script's functions, and whether it calls them without errors. */
function calls(text: string, heard: HeardOfProduct): NamedAnswer[] {
  if (!heard.isGivenFunctions) return [];
  const counts = [...text.matchAll(/(?<![\w.$])(?:[2-9]|1\d|20)(?![\w.])/g)].map((match) => match[0]);
  const said = [...new Set(["1", ...counts])].slice(0, 4).map((count) => `calls ${count}`);
  const words = heard.isGivingErrors ? ["no error", ...said] : said;
  return words.map((candidate) => ({ candidate, isLeaf: false }));
}

/** Returns the answers that a script computes itself: another implementation's, what it has given before, a yes or a no. */
function ofOutput(
  claimed: string,
  { output, hasSeveralCalls, isAnsweringBooleans }: HeardOfProduct,
): NamedAnswer[] {
  const data = placesOf(output, claimed);
  const yesOrNo = ["true", "false", "usual"].map((candidate): NamedAnswer => ({
    candidate,
    isLeaf: false,
    only: "booleans",
  }));
  return [
    ...(data.length === 0 ? [] : [{ candidate: "printed", isLeaf: false, only: "said", data } as const]),
    ...(hasSeveralCalls ? [BACK] : []),
    ...(hasSeveralCalls && isAnsweringBooleans ? yesOrNo : []),
  ];
}

/**
 * Returns the errors of the last call, of the calls whose answers the script does not name, and of the functions that an answer
 * holds: the other calls prepare for it, or are to work.
 */
function thrownLater(
  text: string,
  { hasSeveralCalls, hasInnerValues, isThrowing }: HeardOfProduct,
): NamedAnswer[] {
  return [
    ...(hasSeveralCalls && isThrowing ? thrown(text, { only: "threw" }) : []),
    ...(hasSeveralCalls ? thrown(text, { only: "unnamed", data: dataIn(text) }).slice(0, 1) : []),
    ...(hasSeveralCalls || /\bnew\s/.test(text) ? thrown(text, { only: "last" }) : []),
    ...(hasInnerValues ? thrown(text, { isLeaf: true }) : []),
  ];
}

/** Returns values in comparisons that are not mere literals, but are built from literals by functions without side effects. */
function compared(text: string): Found[] {
  const found: string[] = [];
  const collect = (pattern: RegExp, make: (...groups: string[]) => string[]): void => {
    for (const [, ...groups] of text.matchAll(pattern))
      found.push(...make(...groups.map((one) => one ?? "")));
  };
  collect(
    new RegExp(
      String.raw`\b(${BUILT.source}(?:\.(?:fill|toISOString)\((?:\d+|"[^"\n]*"|'[^'\n]*')?\))?)`,
      "g",
    ),
    (expression) => [expression],
  );
  collect(/((?:"[^"\n]*"|'[^'\n]*')\.(?:repeat|padStart|padEnd)\(\d+\))/g, (expression) => [expression]);
  collect(/(?<![\w$.])(-?\d+n|Number\.[A-Z_]{3,}|\d+ ?\*\* ?\d+)(?![\w$])/g, (expression) => [expression]);
  collect(
    /(\/(?<=[=(,!&|]\s{0,40}\/)(?![*/\s])(?:[^/\\\n]|\\.){1,80}\/[a-z]*)(?=\s{0,40}[;,)\n])/g,
    (expression) => [expression],
  );
  // A text that few patterns match: a script may take every match for the bug.
  if (/\.(?:test|exec|match|search)\(/.test(text)) found.push('"q"');
  collect(TESTED, (...patterns) => {
    const sample = textOfPattern(patterns.find((one) => one !== "") ?? "");
    return sample === null || sample === "" ? [] : [JSON.stringify(sample)];
  });
  collect(
    new RegExp(String.raw`${NOT_A_TYPE}\.([a-zA-Z_$][\w$]*)\s*[!=]==?\s*(${LITERAL.source})`, "g"),
    (name, value) =>
      ["length", "code", "status", "message"].includes(name) ? [] : [`{ ${JSON.stringify(name)}: ${value} }`],
  );
  found.push(...valuesOfAskedTypes(text));
  const fields = comparedFields(text);
  found.push(...nestedObjects(text), ...splitTexts(text, fields));
  if (fields.size === 1)
    found.push(...[...fields].map(([name, value]) => `{ ${JSON.stringify(name)}: ${value} }`));
  found.push(...lengthsAndCounts(text));
  if (/\bJSON\.parse\(/.test(text)) found.push('"{}"');
  if (/\.join\(/.test(text)) found.push(...joined(text).map((list) => `${list}.split(",")`));
  found.push(...comparedInShell(text).map((word) => JSON.stringify(word)), ...charactersIn(text));
  return found.map((expression) => ({ expression, isWanted: true }));
}

function joined(text: string): string[] {
  return [...text.matchAll(LITERAL)].flatMap(([literal]) => (/^["'].*,/.test(literal) ? [literal] : []));
}

/**
 * Returns the values that the script itself prints as expected ones, between quotes or as a difference of two files: an expected
 * value that it computes stands nowhere in its text.
 */
function printed(output: string): Found[] {
  const expected = [
    ...output.matchAll(
      /\b(?:expect(?:ed)?|want(?:ed)?|should (?:be|have been|equal)|instead of)[:=]?\s+([^\s"'][^\n]{0,200})/gi,
    ),
  ].map((match) => (match[1] ?? "").trim());
  const values = [...expectedInWords(output), ...expected].flatMap((one) =>
    /^(?:-?(?:\d+(?:\.\d+)?|Infinity)|NaN|true|false|null|(["']).*\1)$/.test(one)
      ? [one]
      : [JSON.stringify(one)],
  );
  const quoted = (output.match(/"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\\\n]|\\.){0,200}'/g) ?? []).filter(
    (text) => text.length > 2,
  );
  const compared = diffsInOutput(output).map((side) => JSON.stringify(side));
  return [...[...values, ...quoted].slice(0, MAX_PRINTED), ...compared].map((expression) => ({
    expression,
    isWanted: true,
  }));
}

/** Returns the literals of a script; first those that are the expected value of a check: `equal(f("in"), "out")`. */
function literals(text: string): Found[] {
  const found = [...text.matchAll(LITERAL)].map(({ 0: expression, index }) => {
    const before = text.slice(Math.max(0, index - 200), index);
    const checks = openChecks(before);
    // A later argument of the check itself, and not of a call inside its arguments.
    return { expression, index, before, checks, isExpected: /,\s*$/.test(before) && checks.includes(1) };
  });
  const expectedFirst = found.toSorted((a, b) => Number(b.isExpected) - Number(a.isExpected));
  return expectedFirst.flatMap(({ expression, index, before, checks }) => {
    if (isWrittenAsExpected(text, index + expression.length) || isComparedAsFile(before)) {
      // A program that prints the answer ends the last line itself.
      const line = expression.replace(/\\n(["'])$/, "$1");
      const all = new Set([expression, line, ...linesOf(expression)]);
      return [...all].map((one) => ({ expression: one, isWanted: true }));
    }
    if (OUTGOING.test(before)) return [];
    const isWanted = WANTED.test(before.slice(-40)) || checks.length > 0;
    return [{ expression, isWanted: isWanted && !MEASURED.test(before.slice(-40)) }];
  });
}

/** Returns for each check whose arguments are not complete at the end of a text how many parentheses are open in them. */
function openChecks(before: string): number[] {
  const line = before.slice(Math.max(before.lastIndexOf("\n"), before.lastIndexOf(";")) + 1);
  return [...line.matchAll(CHECK)].flatMap((match) => {
    let depth = 1;
    for (const [sign] of line.slice(match.index + match[0].length).matchAll(/"[^"]*"|'[^']*'|[()]/g)) {
      if (sign === "(") depth += 1;
      if (sign === ")") depth -= 1;
      if (depth === 0) return [];
    }
    return [depth];
  });
}

/** Returns the lines of a literal of several lines: a script may ask for one after the other. */
function linesOf(literal: string): string[] {
  const lines = literal.slice(1, -1).split(String.raw`\n`);
  return lines.length === 1 ? [] : lines.filter((line) => line !== "").map((line) => JSON.stringify(line));
}

/** Returns balanced `[…]` and `{…}` that contain only data, also in a string as JSON, as answers. */
function brackets(text: string): Found[] {
  return [...bracketsIn(text), ...jsonTextsIn(text)].map(({ expression, index }) => {
    const before = text.slice(Math.max(0, index - 200), index);
    const isSecond = /,\s*$/.test(before) && openChecks(before).length > 0;
    // Of a text such as `'1: [2]'`, what stands before its quote counts.
    const outside = [before.replace(/\(\s*$/, ""), before.replace(/["'`][^"'`\n]{0,40}$/, "")];
    return {
      expression,
      isWanted: isSecond || outside.some((one) => WANTED.test(one.slice(-40))) || /=\s*$/.test(before),
    };
  });
}

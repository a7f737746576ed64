import {
  answerOfFields,
  answersBesideData,
  answersOfArgument,
  answersOfParts,
  answersOfSomeCalls,
  answersOfUnnamedTexts,
  innerAnswersBesideData,
} from "./answers-in-part.ts";
import { answersOfFunctions } from "./answers-of-functions.ts";
import { changedAnswers } from "./changed-answers.ts";
import { comparedInShell } from "./compared-in-shell.ts";
import { computedAsExpected } from "./computed-values.ts";
import { diffsInOutput } from "./diffs-in-output.ts";
import { documentsIn, isComparedAsFile, isWrittenAsExpected } from "./documents-in.ts";
import { expectedErrors } from "./expected-errors.ts";
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
  REPEATS,
  RUNS_TEXT,
} from "./script-data.ts";
import { unquoted } from "./shell-quotes.ts";
import { textOfPattern } from "./text-of-pattern.ts";
import { valuesOfAskedTypes, valuesOfTypes } from "./values-of-types.ts";

/** Matches the options and the later changes of a text by `util.inspect`: how a script prints a value says nothing about the value. */
const PRINTING =
  /(\binspect\([^(){}]{1,80}?)(?:,\s*\{[^{}]{0,120}\})?\)(?:\.(?:replaceAll|replace|split)\([^()\n]{1,60}\)(?:\[0\])?){0,3}/g;
const MAX_ANSWERS = 12;
const MAX_PRINTED = 4;
const MAX_LINES = 40;
const MAX_OBJECTS = 2;
/** Matches words before a literal that show that the script expects the literal. */
const WANTED =
  /(?:(?:want|expect|should|equal|deep|same|correct|right|good|target|desire|soll|erwart|attend|esper)\w*|[!=]==?|(?<!=)[<>]=?)\W{0,12}$/i;
const CHECK = /\b(?:is|\w{0,20}(?:assert|expect|equal|same|toBe))\w*\s*\(/gi;
/** Matches text before a literal that is a length and not an answer. */
const MEASURED = /\.(?:length|size)\s*(?:[!=]==?|[<>]=?)\s*$/;
/** Matches words before a literal that only decides how the script ends or what it prints. */
const OUTGOING = /(?:exit(?:Code)?|log|error|write|echo|printf|fail|Error)\s*[(=]?\s*$/;
/** Matches a pattern with which a script tests an answer. */
const TESTED =
  /\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){1,40}\]){1,80})\/[a-z]*\.test\(|(?:\.match|\bmatch|toMatch|doesNotMatch)\((?:[^;\n]{0,200},\s*)?\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){1,40}\]){1,80})\/[a-z]*\s*\)/g;
/** The answer for a product that fails while it loads: its source text is omitted, and it accepts every call. */
const LOADS: NamedAnswer = { candidate: "loads", isLeaf: false };
/** The answer for a script that expects one holder of a lock, or one task of a queue, at a time. */
const TURNS: NamedAnswer = { candidate: "in turn", isLeaf: false, only: "turns" };
/** The answer for a script about a round trip: `parse(stringify(x))`. */
const BACK: NamedAnswer = { candidate: "given", isLeaf: false, only: "back" };
/** The answer for a claim that is caused by the product's code while it loads, and not by one of its answers. */
const RECORDS: NamedAnswer = { candidate: "records", isLeaf: false, only: "records" };
/** Matches a property of a JSON text that a script compares with a literal. */
const PARSED_FIELD = new RegExp(
  String.raw`\bJSON\.parse\([^()\n]{1,80}\)\.([a-zA-Z_$][\w$]*)\s*[!=]==?\s*(${LITERAL.source})`,
  "g",
);
const MAX_TEXTS = 2;
/** Matches a script that may expect the exports in a property of the exports: `x.default === x`. */
const ASKS_FOR_EXPORTS = /\.default\b|\b(\w+)\.\w+ ===? \1\b/;
/** The exports themselves are in each property that they lack. */
const EXPORTS: NamedAnswer = { candidate: "exports", isLeaf: false };
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
    .replaceAll(/(?<![."'])\b(?:require|import|from)\s*\(?\s*(?:"[^"]*"|'[^']*')/g, "")
    .replaceAll(PRINTING, "$1)")
    .replaceAll(/\?\.(?=\[)/g, "")
    .replaceAll(/\?\.(?=[a-zA-Z_$])/g, ".");
  const said = claimed?.trim() ?? "";
  const isText = (expression: string): boolean =>
    said.length > 2 && expression.includes(said) && !/^[[{]/.test(expression);
  const found = expressionsIn(program, text, heard)
    .filter(({ expression }) => !isText(expression))
    .slice(0, MAX_ANSWERS);
  const named = found.flatMap(({ expression, isWanted }, index): NamedAnswer[] => {
    const whole = { candidate: expression, isLeaf: false, isWanted };
    const inner = { candidate: expression, isLeaf: true, isWanted };
    return heard.hasInnerValues && index < 6 ? [whole, inner] : [whole];
  });
  return [
    ...(heard.hasLoaded ? [] : [LOADS]),
    ...named.slice(0, 2),
    ...answerOfFields(text),
    ...(heard.hasSeveralCalls ? answersOfSomeCalls(text, found, heard) : answersOfFirstCase(text)),
    ...(heard.hasInnerValues || heard.hasInstances ? answersOfParts(text, found) : []),
    ...(heard.hasInnerValues && heard.hasSeveralCalls ? innerAnswersBesideData(dataIn(text)) : []),
    ...named.slice(2),
    ...(heard.hasInnerValues ? answersOfUnnamedTexts(text, found) : []),
    { candidate: "identity", isLeaf: false },
    ...(ASKS_FOR_EXPORTS.test(text) ? [EXPORTS] : []),
    ...answersOfFunctions(text, found, heard),
    ...answersInOutput(said, heard),
    ...answersOfArgument(text, found),
    ...(heard.isPromising ? [TURNS] : []),
    ...expectedErrors(text),
    ...errorsOfSomeCalls(text, heard),
    ...changedAnswers(text, heard),
    // Recorded answers run none of the script's functions, so a text that one of them prints would vanish.
    ...(heard.hasLoaded && (!heard.isGivenFunctions || heard.isRunningPure) ? [RECORDS] : []),
    MANIFEST,
  ];
}

/**
 * Returns the expressions that may be answers, each once: first those that the script assigns to a variable named as expected,
 * then those that it compares with. `text` is the program without the names of modules.
 */
function expressionsIn(program: string, text: string, heard: HeardOfProduct): Found[] {
  const assigned = assignedAsExpected(text);
  const rank = ({ expression, isWanted }: Found): number => (assigned.has(expression) ? 2 : Number(isWanted));
  const known = [
    ...valuesOfTypes(text, assigned),
    ...computedAsExpected(text),
    ...documentsIn(program),
    ...comparedValues(text),
    ...listsAndObjects(text),
    ...literalsIn(text),
    ...printedValues(heard.output),
  ]
    .map(({ expression, isWanted }) => ({ expression, isWanted: isWanted || assigned.has(expression) }))
    .toSorted((a, b) => rank(b) - rank(a));
  const built = [
    ...objectsOfKeys(text, known),
    ...(heard.isAnsweringInstances ? [] : objectsWithChains(text, known)),
    ...replacingPatterns(text, assigned),
  ];
  if (RUNS_TEXT.test(text)) built.push(...[...built, ...known].slice(0, MAX_TEXTS).map(asText));
  const found = [...known.slice(0, 2), ...built, ...known.slice(2)].toSorted((a, b) => rank(b) - rank(a));
  return found.filter(
    (one, index) => found.findIndex(({ expression }) => expression === one.expression) === index,
  );
}

/** Returns the source text of a value, for a script that runs the answer as code. */
const asText = ({ expression, isWanted }: Found): Found => ({
  expression: JSON.stringify(expression),
  isWanted,
});

/** Returns the answers for a script that may end at the first case of a table, so that only one call was recorded. */
function answersOfFirstCase(text: string): NamedAnswer[] {
  return REPEATS.test(text) ? answersBesideData(dataIn(text)) : [];
}

/**
 * Returns the answers that are not in the script's text: a value that it prints together with an answer, the argument of an earlier
 * call, and the other boolean.
 */
function answersInOutput(
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
 * Returns the errors that only some calls throw: the last one, those that threw before, those whose answers the script does not
 * name, and functions inside an answer. The other calls have to succeed, because they prepare for the checked call.
 */
function errorsOfSomeCalls(
  text: string,
  { hasSeveralCalls, hasInnerValues, isThrowing }: HeardOfProduct,
): NamedAnswer[] {
  return [
    ...(hasSeveralCalls && isThrowing ? expectedErrors(text, { only: "threw" }) : []),
    ...(hasSeveralCalls ? expectedErrors(text, { only: "unnamed", data: dataIn(text) }).slice(0, 1) : []),
    ...(hasSeveralCalls || /\bnew\s/.test(text) ? expectedErrors(text, { only: "last" }) : []),
    ...(hasInnerValues ? expectedErrors(text, { isLeaf: true }) : []),
  ];
}

/** Returns the values in comparisons that are not plain literals, but are built from literals by functions without side effects. */
function comparedValues(text: string): Found[] {
  const found: string[] = [];
  const collect = (pattern: RegExp, make: (...groups: string[]) => string[]): void => {
    for (const [, ...groups] of text.matchAll(pattern))
      found.push(...make(...groups.map((one) => one ?? "")));
  };
  collect(
    new RegExp(
      String.raw`(?<!\bthrow\s+)\b(${BUILT.source}(?:\.(?:fill|toISOString)\((?:\d+|"[^"\n]*"|'[^'\n]*')?\))?)`,
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
  // Few patterns match this text, so it can satisfy a script that takes every match for the bug.
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
  if (/\bJSON\.parse\(/.test(text)) {
    found.push('"{}"');
    for (const [, name = "", value = ""] of text.matchAll(PARSED_FIELD))
      found.unshift(`JSON.stringify({ ${JSON.stringify(name)}: ${value} })`);
  }
  if (/\.join\(/.test(text)) found.push(...joined(text).map((list) => `${list}.split(",")`));
  found.push(...comparedInShell(text).map((word) => JSON.stringify(word)), ...charactersIn(text));
  return found.map((expression) => ({ expression, isWanted: true }));
}

function joined(text: string): string[] {
  return [...text.matchAll(LITERAL)].flatMap(([literal]) => (/^["'].*,/.test(literal) ? [literal] : []));
}

/**
 * Returns the values that the script prints as expected, in quotes or as a difference of two files. An expected value that the
 * script computes is not in its text.
 */
function printedValues(output: string): Found[] {
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
  return [...[...values, ...quoted].slice(0, MAX_PRINTED), ...compared, ...objectsPrinted(output)].map(
    (expression) => ({ expression, isWanted: true }),
  );
}

/** Returns the lists and objects that a program prints after a name: `expected: { a: 1 }`. */
function objectsPrinted(output: string): string[] {
  const found = output
    .split("\n")
    .filter((line) => !/^\s+at /.test(line))
    .slice(0, MAX_LINES)
    .flatMap((line) => bracketsIn(line.slice(0, 400).replaceAll(/(?<=\w)\s+(?=[[{])/g, ": ")));
  return [...new Set(found.map(({ expression }) => expression))].slice(0, MAX_OBJECTS);
}

/** Returns the literals of a script. Those that a check expects come first: `equal(f("in"), "out")`. */
function literalsIn(text: string): Found[] {
  const found = [...text.matchAll(LITERAL)].map(({ 0: expression, index }) => {
    const before = text.slice(Math.max(0, index - 200), index);
    const checks = openChecks(before);
    // The literal is a later argument of the check itself, not of a call inside its arguments.
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

/** Returns, for each check whose arguments are incomplete at the end of a text, how many parentheses are open in it. */
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

/** Returns the lines of a literal that has several, because a script may compare one line after the other. */
function linesOf(literal: string): string[] {
  const lines = literal.slice(1, -1).split(String.raw`\n`);
  return lines.length === 1 ? [] : lines.filter((line) => line !== "").map((line) => JSON.stringify(line));
}

/** Returns the balanced `[…]` and `{…}` that contain only data, including those that a string contains as JSON. */
function listsAndObjects(text: string): Found[] {
  return [...bracketsIn(text), ...jsonTextsIn(text)].map(({ expression, index }) => {
    const before = text.slice(Math.max(0, index - 200), index);
    const isSecond = /,\s*$/.test(before) && openChecks(before).length > 0;
    // If the list is in a text such as `'1: [2]'`, the words before the quote count.
    const outside = [before.replace(/\(\s*$/, ""), before.replace(/["'`][^"'`\n]{0,40}$/, "")];
    return {
      expression,
      isWanted: isSecond || outside.some((one) => WANTED.test(one.slice(-40))) || /=\s*$/.test(before),
    };
  });
}

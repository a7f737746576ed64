/** An answer for a deaf product to give: an expression of the script's language, or one of the two that need the call. */
export interface NamedAnswer {
  readonly candidate: string;
  /** Put into the innermost values of what the product would have answered, instead of in its place. */
  readonly isLeaf: boolean;
  /** false: a literal that stands nowhere near a comparison. It is given only where the product answers with its type. */
  readonly isWanted?: boolean;
  /** A list whose elements are given to the script's functions, one run each. */
  readonly isSpread?: boolean;
  /** The message of an error. */
  readonly text?: string;
}

const MAX_ANSWERS = 12;
const MAX_LENGTH = 300;
/** Words around a literal that say it is what the script wants to see. */
const WANTED =
  /(?:(?:want|expect|should|equal|deep|same|correct|right|good|target|desire|soll|erwart|attend|esper)\w*|[!=]==?|[<>]=?)\W{0,12}$/i;
const WANTED_CALL = /\b(?:assert|expect|equal|deepEqual|is|same|toBe|toEqual)\w*\s*\([^;\n]*$/i;
/** These places decide how the script ends or what it prints. */
const OUTGOING = /(?:exit(?:Code)?|log|error|write|echo|printf|fail|Error)\s*[(=]?\s*$/;
const LITERAL =
  /"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\\\n]|\\.){0,200}'|`[^`$\\]{0,200}`|(?<![\w.$])-?\d+(?:\.\d+)?(?![\w.])|\b(?:null|undefined|true|false|NaN|Infinity|None|True|False)\b/g;

/** The facts about the product from the renumbered run. */
export interface HeardOfProduct {
  /** It answers with objects or lists, or is a program. */
  readonly hasInnerValues: boolean;
  /** One of its files was loaded to its end. */
  readonly hasLoaded: boolean;
  /** The script gives it functions, or objects with methods and getters, to run. */
  readonly isGivenFunctions: boolean;
  /** It runs them with errors. */
  readonly isGivingErrors: boolean;
}

/** The product itself fails while it loads: its text is left out, and it takes every call. */
const LOADS: NamedAnswer = { candidate: "loads", isLeaf: false };
/** The product as it is, under a manifest that lets everything be found. */
const MANIFEST: NamedAnswer = { candidate: "manifest", isLeaf: false };

/**
 * The answers that a script itself names: its literals, those it compares with first. A script that judges the answer goes
 * well with one of them; one that prints its text whatever happens does not. `claimed`: the text of the claim, which is no
 * answer.
 */
export function namedAnswers(script: string, claimed: string | null, heard: HeardOfProduct): NamedAnswer[] {
  const program = unquoted(script);
  const text = program
    .replaceAll(/<<-?\s*['"]?\w+['"]?/g, "")
    .replaceAll(/\b(?:require|import|from)\s*\(?\s*(?:"[^"]*"|'[^']*')/g, "");
  const found = [...documents(program), ...compared(text), ...brackets(text), ...literals(text)].toSorted(
    (a, b) => Number(b.isWanted) - Number(a.isWanted),
  );
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
    ...named,
    { candidate: "identity", isLeaf: false },
    ...spread(unique, heard),
    ...calls(text, heard),
    ...thrown(text),
    MANIFEST,
  ];
}

/**
 * The answers that the script's functions should collect. An empty list, with which a script often begins to collect, would leave
 * them unused, and a script that prints its text in one of them would be silent.
 */
function spread(found: readonly Found[], { isGivenFunctions }: HeardOfProduct): NamedAnswer[] {
  const lists = found.filter(
    ({ expression, isWanted }) => isWanted && /^\[\s*[^\s\]]|\.split\(","\)$/.test(expression),
  );
  const all = isGivenFunctions ? lists.slice(0, 3) : [];
  return all.map(({ expression }) => ({ candidate: expression, isLeaf: false, isSpread: true }));
}

/** Runs of the functions that the script gives the product: how often, and without the errors. */
function calls(text: string, heard: HeardOfProduct): NamedAnswer[] {
  if (!heard.isGivenFunctions) return [];
  const counts = [...text.matchAll(/(?<![\w.$])(?:[2-9]|1\d|20)(?![\w.])/g)].map((match) => match[0]);
  const said = [...new Set(["1", ...counts])].slice(0, 4).map((count) => `calls ${count}`);
  const words = heard.isGivingErrors ? ["no error", ...said] : said;
  return words.map((candidate) => ({ candidate, isLeaf: false }));
}

/** The errors that a script that waits for one names. */
function thrown(text: string): NamedAnswer[] {
  if (!/throw|reject|catch|raise/i.test(text)) return [];
  const kinds = new Set([
    "Error",
    ...(text.match(/\b(?:Type|Range|Syntax|Reference|URI|Eval)Error\b/g) ?? []),
  ]);
  const patterns = [...text.matchAll(/\/((?:[^/\\\n]|\\.){1,80})\/[a-z]*/g)].map((match) => match[1] ?? "");
  const message = patterns
    .slice(0, 5)
    .join(" ")
    .replaceAll(/\\|[\^$]/g, "");
  return [...kinds].slice(0, 3).map((kind) => ({ candidate: `throw ${kind}`, isLeaf: false, text: message }));
}

/** Program text that stands in quotes of a shell, without them; its own quotes are not theirs. */
function unquoted(script: string): string {
  const inner = "\u0001";
  return script
    .replace(/^#![^\n]*/, "")
    .replaceAll(
      /(\s(?:-\w*[epc]|--eval|--print)\s+|\$\(\s*)"((?:[^"\\]|\\[^])*)"/g,
      (_, option: string, text: string) => `${option}\n${text.replaceAll('\\"', '"')}\n`,
    )
    .replaceAll("'\\''", inner)
    .replaceAll(/'([^']*)'/g, (whole, text: string) => (/[\u0001\n(]/.test(text) ? `\n${text}\n` : whole))
    .replaceAll(inner, "'");
}

interface Found {
  expression: string;
  isWanted: boolean;
}

/** Here-documents that hold no program: what a program is expected to print. */
function documents(text: string): Found[] {
  return [...text.matchAll(/<<-?\s*['"]?(\w+)['"]?[^\n]*\n([\s\S]{0,600}?)\n\s*\1\b/g)].flatMap((match) => {
    const body = match[2] ?? "";
    return /require\(|import |[;{]\s*$/m.test(body)
      ? []
      : [{ expression: JSON.stringify(body), isWanted: true }];
  });
}

/** Values in comparisons that are not mere literals but are built from literals by functions without side effects. */
function compared(text: string): Found[] {
  const found: string[] = [];
  const collect = (pattern: RegExp, make: (...groups: string[]) => string[]): void => {
    for (const [, ...groups] of text.matchAll(pattern))
      found.push(...make(...groups.map((one) => one ?? "")));
  };
  collect(
    /\b((?:new (?:Date|Map|Set|Array|RegExp)|BigInt|Symbol\.for|Buffer\.from|Object\.create)\((?:[\d\s.,[\]-]|null|"[^"\n]*"|'[^'\n]*')*\)(?:\.(?:fill|toISOString)\((?:\d+|"[^"\n]*"|'[^'\n]*')?\))?)/g,
    (expression) => [expression],
  );
  collect(/((?:"[^"\n]*"|'[^'\n]*')\.(?:repeat|padStart|padEnd)\(\d+\))/g, (expression) => [expression]);
  collect(/(?<![\w$.])(-?\d+n|Number\.[A-Z_]{3,}|\d+ ?\*\* ?\d+)(?![\w$])/g, (expression) => [expression]);
  collect(/(?<=[=(,!&|]\s*)(\/(?![*/\s])(?:[^/\\\n]|\\.){1,80}\/[a-z]*)(?=\s*[;,)\n])/g, (expression) => [
    expression,
  ]);
  collect(/\.length\s*[!=]==?\s*(\d{1,5})\b/g, (length) => [
    `"q".repeat(${length})`,
    `new Array(${length}).fill("q")`,
  ]);
  collect(new RegExp(String.raw`\.([a-zA-Z_$][\w$]*)\s*[!=]==?\s*(${LITERAL.source})`, "g"), (name, value) =>
    ["length", "code", "status", "message"].includes(name) ? [] : [`{ ${JSON.stringify(name)}: ${value} }`],
  );
  collect(/instanceof\s+(Date|Map|Set|Array|RegExp|Error|Promise|TypeError|RangeError)\b/g, (name) => [
    `new ${name}()`,
  ]);
  collect(/Array\.(isArray)\(/g, () => ["[]"]);
  if (/\.join\(/.test(text)) found.push(...joined(text).map((list) => `${list}.split(",")`));
  collect(/\[\[?\s+[^\]\n]*?\s(?:=|==|!=|-eq|-ne)\s+([\w.:/@+-]+)\s+\]/g, (word) => [JSON.stringify(word)]);
  collect(/grep\s+(?:-\w+\s+)*([\w.:/@+-]+)/g, (word) => [JSON.stringify(word)]);
  return found.map((expression) => ({ expression, isWanted: true }));
}

function joined(text: string): string[] {
  return [...text.matchAll(LITERAL)].flatMap(([literal]) => (/^["'].*,/.test(literal) ? [literal] : []));
}

function literals(text: string): Found[] {
  return [...text.matchAll(LITERAL)].flatMap(({ 0: expression, index }) => {
    const before = text.slice(Math.max(0, index - 200), index);
    if (OUTGOING.test(before)) return [];
    return [{ expression, isWanted: WANTED.test(before.slice(-40)) || WANTED_CALL.test(before) }];
  });
}

/** Balanced `[…]` and `{…}` that hold nothing but data. */
function brackets(text: string): Found[] {
  const found: Found[] = [];
  for (const { index } of text.matchAll(/[[{]/g)) {
    const before = text.slice(Math.max(0, index - 40), index);
    if (!/[=(,:]\s*$|return\s+$/.test(before)) continue;
    const expression = balanced(text, index);
    if (expression === null || /[;()]|=>|\bfunction\b/.test(expression)) continue;
    found.push({ expression, isWanted: WANTED.test(before.replace(/\(\s*$/, "")) || /=\s*$/.test(before) });
  }
  return found;
}

function balanced(text: string, from: number): string | null {
  let depth = 0;
  for (let at = from; at < Math.min(text.length, from + MAX_LENGTH); at += 1) {
    const character = text[at] ?? "";
    if ("[{".includes(character)) depth += 1;
    if ("]}".includes(character)) depth -= 1;
    if (depth === 0) return text.slice(from, at + 1);
  }
  return null;
}

/** An answer for a deaf product to give: an expression of the script's language, or one of the two that need the call. */
export interface NamedAnswer {
  readonly candidate: string;
  /** Put into the innermost values of what the product would have answered, instead of in its place. */
  readonly isLeaf: boolean;
}

const MAX_ANSWERS = 10;
const MAX_LENGTH = 300;
/** Words around a literal that say it is what the script wants to see. */
const WANTED =
  /(?:want|expect|should|equal|deep|same|correct|right|soll|erwart|attend|esper|[!=]==?)\W{0,12}$/i;
const LITERAL =
  /"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\\\n]|\\.){0,200}'|`[^`$\\]{0,200}`|(?<![\w.$])-?\d+(?:\.\d+)?(?![\w.])|\b(?:null|undefined|true|false|NaN|Infinity|None|True|False)\b/g;

/**
 * The answers that a script itself names: its literals, those it compares with first. A script that judges the answer goes
 * well with one of them; one that prints its text whatever happens does not. `claimed`: the text of the claim, which is no
 * answer. `hasInnerValues`: the product answers with objects or lists.
 */
export function namedAnswers(script: string, claimed: string | null, hasInnerValues: boolean): NamedAnswer[] {
  const text = unquoted(script)
    .replaceAll(/<<-?\s*['"]?\w+['"]?/g, "")
    .replaceAll(/\b(?:require|import|from)\s*\(?\s*(?:"[^"]*"|'[^']*')/g, "");
  const found = [...brackets(text), ...literals(text)].toSorted(
    (a, b) => Number(b.isWanted) - Number(a.isWanted),
  );
  const said = claimed?.trim() ?? "";
  const isText = (expression: string): boolean => said.length > 2 && expression.includes(said);
  const unique = [...new Set(found.map(({ expression }) => expression))]
    .filter((expression) => !isText(expression))
    .slice(0, MAX_ANSWERS);
  const throws = /throw|reject|catch|raise/i.test(text) ? ["throw"] : [];
  const whole = [...unique, "identity", ...throws];
  return [
    ...whole.map((candidate) => ({ candidate, isLeaf: false })),
    ...(hasInnerValues ? unique.slice(0, 5) : []).map((candidate) => ({ candidate, isLeaf: true })),
  ];
}

/** Program text that stands in quotes of a shell, without them; its own quotes are not theirs. */
function unquoted(script: string): string {
  const inner = "\u0001";
  return script
    .replaceAll("'\\''", inner)
    .replaceAll(/'([^']*)'/g, (whole, text: string) => (/[\u0001\n(]/.test(text) ? `\n${text}\n` : whole))
    .replaceAll(inner, "'");
}

interface Found {
  expression: string;
  isWanted: boolean;
}

function literals(text: string): Found[] {
  return [...text.matchAll(LITERAL)].map((match) => ({
    expression: match[0],
    isWanted: WANTED.test(text.slice(Math.max(0, match.index - 40), match.index)),
  }));
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

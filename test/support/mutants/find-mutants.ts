import { parseSync } from "oxc-parser";

export const mutantOperators = [
  "comparison",
  "boundary",
  "boolean",
  "negated-condition",
  "removed-exit",
  "removed-call",
  "and-or",
  "arithmetic",
  "emptied-string",
] as const;
export type MutantOperator = (typeof mutantOperators)[number];

/** One change of one place of a source file. Offsets are in UTF-16 code units. */
export interface Mutant {
  /** For example `src/a.ts:12:5 and-or`; the same text of the file always has the same ids. */
  id: string;
  file: string;
  operator: MutantOperator;
  start: number;
  end: number;
  replacement: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const COMPARISONS: Readonly<Record<string, string>> = { "===": "!==", "!==": "===" };
const BOUNDARIES: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const ARITHMETIC: Readonly<Record<string, string>> = {
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "+=": "-=",
  "-=": "+=",
};
/** Properties with texts for people; tests check these elsewhere or deliberately not at all. */
const PROSE = new Set(["message", "remedy"]);

/** Returns every mutant of a source file, in the order of the text. Throws if the file cannot be parsed. */
export function findMutants(file: string, text: string): Mutant[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const mutants: Mutant[] = [];
  visit(program as unknown as Node, (node) => {
    for (const change of changesOf(node, text))
      mutants.push({ id: idOf(file, text, change), file, ...change });
  });
  return mutants.toSorted((a, b) => a.start - b.start);
}

/** Returns the text of the file with one mutant in it. */
export function applyMutant(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

type Change = Pick<Mutant, "operator" | "start" | "end" | "replacement">;

function changesOf(node: Node, text: string): Change[] {
  switch (node.type) {
    case "BinaryExpression":
      return [
        ...swapped(node, text, "comparison", COMPARISONS),
        ...swapped(node, text, "boundary", BOUNDARIES),
        ...(joinsText(node) ? [] : swapped(node, text, "arithmetic", ARITHMETIC)),
      ];
    case "AssignmentExpression":
      return joinsText(node) ? [] : swapped(node, text, "arithmetic", ARITHMETIC);
    case "LogicalExpression":
      return swapped(node, text, "and-or", { "&&": "||", "||": "&&" });
    case "ConditionalExpression":
      return [negated(node["test"] as Node, text)];
    case "IfStatement":
      return [negated(node["test"] as Node, text), ...withoutExit(node)];
    case "ExpressionStatement":
      return isCall(node["expression"] as Node) ? [replaced(node, "removed-call", ";")] : [];
    case "Literal":
      if (typeof node["value"] === "boolean") return [replaced(node, "boolean", String(!node["value"]))];
      return typeof node["value"] === "string" && node["value"] !== ""
        ? [replaced(node, "emptied-string", '""')]
        : [];
    default:
      return [];
  }
}

function replaced({ start, end }: Node, operator: MutantOperator, replacement: string): Change {
  return { operator, start, end, replacement };
}

function negated(test: Node, text: string): Change {
  return replaced(test, "negated-condition", `!(${text.slice(test.start, test.end)})`);
}

function swapped(
  node: Node,
  text: string,
  operator: MutantOperator,
  table: Readonly<Record<string, string>>,
): Change[] {
  const sign = node["operator"] as string;
  const replacement = table[sign];
  if (replacement === undefined) return [];
  const start = text.indexOf(sign, (node["left"] as Node).end);
  return [{ operator, start, end: start + sign.length, replacement }];
}

/** Returns the change that removes an `if` without `else` whose body leaves with `return`, `throw`, `continue` or `break`. */
function withoutExit(node: Node): Change[] {
  if (node["alternate"] !== null) return [];
  const consequent = node["consequent"] as Node;
  const body = consequent.type === "BlockStatement" ? (consequent["body"] as Node[]).at(-1) : consequent;
  return body !== undefined && /^(?:Return|Throw|Continue|Break)Statement$/.test(body.type)
    ? [replaced(node, "removed-exit", ";")]
    : [];
}

function isCall(node: Node): boolean {
  if (node.type === "AwaitExpression") return isCall(node["argument"] as Node);
  return node.type === "CallExpression";
}

function joinsText(node: Node): boolean {
  return [node["left"], node["right"]].some((side) => {
    const { type, value } = side as Node;
    return type === "TemplateLiteral" || typeof value === "string";
  });
}

/** Visits the nodes, except types, imports, names of properties and texts for people. */
function visit(node: Node, onNode: (node: Node) => void): void {
  onNode(node);
  for (const [key, child] of Object.entries(node)) {
    if (isSkipped(node, key)) continue;
    for (const value of Array.isArray(child) ? child : [child])
      if (isNode(value) && !isSkippedNode(value)) visit(value, onNode);
  }
}

function isSkipped(parent: Node, key: string): boolean {
  if (key === "key") return parent["computed"] !== true;
  const named = (parent["key"] as Node | undefined)?.["name"];
  return key === "value" && parent.type === "Property" && typeof named === "string" && PROSE.has(named);
}

const TYPED_EXPRESSIONS = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

function isSkippedNode({ type }: Node): boolean {
  if (type === "ImportDeclaration" || type === "ExportAllDeclaration") return true;
  return type.startsWith("TS") && !TYPED_EXPRESSIONS.has(type);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

function idOf(file: string, text: string, { start, operator }: Change): string {
  const before = text.slice(0, start).split("\n");
  return `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1} ${operator}`;
}

import { data, Evaluator, Lexer, Parser } from "@actions/expressions";

const CONTEXTS = ["github", "inputs", "steps", "vars"];

/** Evaluates an expression (with or without its braces) with these contexts, as GitHub does. */
export function evaluate(expression: string, contexts: Record<string, unknown>): unknown {
  const text = expression.trim().replace(/^\$\{\{([\s\S]*)\}\}$/, "$1");
  const { tokens } = new Lexer(text).lex();
  const tree = new Parser(tokens, CONTEXTS, []).parse();
  const complete = Object.fromEntries(CONTEXTS.map((name) => [name, contexts[name] ?? {}]));
  const result = new Evaluator(tree, toData(complete) as data.Dictionary).evaluate();
  return JSON.parse(JSON.stringify(result, data.replacer)) as unknown;
}

function toData(value: unknown): data.ExpressionData {
  return JSON.parse(JSON.stringify(value), data.reviver) as data.ExpressionData;
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";

const SOURCE = join(import.meta.dirname, "../../src");
const examples = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.includes("node_modules"))
  .flatMap((path) => examplesIn(path, readFileSync(join(SOURCE, path), "utf8")));

test("every @example in a docstring of src returns the value that it names", async () => {
  expect(examples.length).toBeGreaterThan(10);
  const wrong: unknown[] = [];
  for (const example of examples) {
    const is = JSON.stringify(await valueOf(example));
    if (is !== example.expected) wrong.push({ ...example, is });
  }
  expect(wrong, "correct the docstring, or the function").toEqual([]);
});

test("the check reads the expression and the value of an example", () => {
  const text =
    '/**\n * Adds.\n * @example\n * add(1, 2) // => 3\n * add("a", "b") // => "ab"\n */\nexport const add = 1;\n';
  expect(examplesIn("x.ts", text)).toEqual([
    { path: "x.ts", expression: "add(1, 2)", expected: "3" },
    { path: "x.ts", expression: 'add("a", "b")', expected: '"ab"' },
  ]);
});

interface Example {
  /** Relative to src; the expression can use the names that this file exports. */
  path: string;
  expression: string;
  /** The expected value as JSON. */
  expected: string;
}

/** Returns the lines `expression // => JSON` below an `@example` tag. */
function examplesIn(path: string, text: string): Example[] {
  if (!text.includes("@example")) return [];
  const blocks = parseSync(path, text).comments.filter(({ value }) => value.includes("@example"));
  return blocks
    .flatMap(({ value }) => value.slice(value.indexOf("@example")).split("\n"))
    .flatMap((line) => {
      const [, expression, expected] = /^\s*\*\s(.+?) \/\/ => (.+)$/.exec(line) ?? [];
      return expression === undefined || expected === undefined ? [] : [{ path, expression, expected }];
    });
}

async function valueOf({ path, expression }: Example): Promise<unknown> {
  const exported = (await import(join(SOURCE, path))) as Record<string, unknown>;
  // oxlint-disable-next-line no-implied-eval -- the expression comes from a docstring of this repository
  const evaluate = new Function(...Object.keys(exported), `return (${expression});`) as (
    ...values: unknown[]
  ) => unknown;
  return evaluate(...Object.values(exported)) ?? null;
}

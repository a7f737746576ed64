import * as fc from "fast-check";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fillTemplate, packageFolder, readTemplate } from "../../src/triage/index.ts";

describe("the template function", () => {
  test.each<[string, Record<string, string>, string]>([
    ["no placeholder", {}, "no placeholder"],
    ["{{a}} and {{a}}, {{b}}", { a: "1", b: "2" }, "1 and 1, 2"],
    ["{{a}}", { a: "{{b}}", b: "2" }, "{{b}}"],
    ["{{a}}", { a: "$& $1 $$ $`" }, "$& $1 $$ $`"],
    ["x\n{{#a}}\n[{{a}}]\n{{/a}}\ny\n", { a: "1" }, "x\n[1]\ny\n"],
    ["x\n{{#a}}\n[{{a}}]\n{{/a}}\ny\n", { a: "" }, "x\ny\n"],
    ["{{#a}}\n{{a}}\n{{/a}}\n", { a: "{{/a}}\n{{#a}}" }, "{{/a}}\n{{#a}}\n"],
    ["{{#a}}\nA\n{{/a}}\n{{#b}}\nB\n{{/b}}\n", { a: "", b: "1" }, "B\n"],
    ["{{A}} {{ a }} {a}", {}, "{{A}} {{ a }} {a}"],
  ])("%j with %j", (template, values, expected) => expect(fillTemplate(template, values)).toBe(expected));

  test.each(["{{a}}", "{{#a}}\nx\n{{/a}}\n", "{{constructor}}"])("%j without its value throws", (template) =>
    expect(() => fillTemplate(template, {})).toThrow("no value"),
  );

  test("a value is inserted unchanged, whatever it contains (S3)", () => {
    const metacharacters = fc.constantFrom(
      "{{b}}",
      "{{#b}}",
      "{{/b}}\n",
      "{{#a}}\n",
      "$&",
      "$1",
      "\n",
      "\\",
      "`!id`",
    );
    const value = fc.array(fc.oneof(metacharacters, fc.string())).map((parts) => parts.join(""));
    fc.assert(
      fc.property(value, (a) => {
        expect(fillTemplate("<{{a}}|{{b}}>", { a, b: "B" })).toBe(`<${a}|B>`);
      }),
    );
  });
});

test("the package's templates and skills are found from any place where the code runs", () => {
  expect(readdirSync(join(packageFolder("templates"), "comments")).toSorted()).toEqual([
    "brief.md",
    "conflicting-labels.md",
    "duplicate.md",
    "needs-info.md",
    "needs-triage.md",
    "ready-for-agent.md",
    "ready-for-human.md",
    "wontfix.md",
  ]);
  expect(readdirSync(packageFolder("skills"))).toContain("triage");
  expect(readTemplate("prompt.md")).toContain("Triage Agent");
});

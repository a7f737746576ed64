import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { currentOutcomeSchema, packageFolder, renderPrompt, triageStates } from "../../src/triage/index.ts";

const files = {
  checkout: "/run/checkout",
  control: "/run/control",
  issue: "/run/control/issue.json",
  prompt: "/run/control/prompt.md",
  skills: "/run/control/skills",
  outcome: "/run/control/outcome.json",
};
const prompt = renderPrompt({ files, repo: "octo/widgets", number: 123, nonce: "5eed" });

test("the prompt names the issue file and its nonce, and contains nothing of the issue (S3)", () => {
  for (const path of [files.checkout, files.issue, files.outcome, `${files.skills}/triage/SKILL.md`]) {
    expect(prompt).toContain(path);
  }
  expect(prompt).toContain("untrusted-5eed");
  expect(prompt).toContain("issue 123 of the repository octo/widgets");
  expect(prompt).not.toContain("{{");
});

test("the prompt contains the schema with which the outcome is checked (A30)", () => {
  const schema: unknown = JSON.parse(/```json\n([\s\S]*?)\n```/.exec(prompt)?.[1] ?? "");
  expect(schema).toMatchObject({
    additionalProperties: false,
    properties: { schema: { const: "afk-triage/outcome@2" }, outcome: { enum: [...triageStates] } },
  });
});

test("the triage skill links all its pages, and they name only fields of the outcome schema (A26)", () => {
  const folder = join(packageFolder("skills"), "triage");
  const pages = readdirSync(folder);
  expect(pages.toSorted()).toEqual(["SKILL.md", "afk.md", "brief.md", "out-of-scope.md"]);
  const skill = readFileSync(join(folder, "SKILL.md"), "utf8");
  for (const page of pages.filter((name) => name !== "SKILL.md")) expect(skill).toContain(`(${page})`);
  const example = /```json\n([\s\S]*?)```/.exec(readFileSync(join(folder, "brief.md"), "utf8"))?.[1] ?? "";
  expect(currentOutcomeSchema.shape.brief.safeParse(JSON.parse(example)).error).toBeUndefined();
  const schema = JSON.stringify(z.toJSONSchema(currentOutcomeSchema));
  const named = pages
    .map((page) => readFileSync(join(folder, page), "utf8"))
    .flatMap((text) => Array.from(text.matchAll(/`([a-z]+\.[A-Za-z.]+|[a-z]+[A-Z]\w+)`/g)))
    .flatMap((match) => (match[1] ?? "").split("."))
    .filter((word) => word !== "md");
  expect(named.length).toBeGreaterThan(10);
  for (const word of named) expect(schema).toContain(`"${word}"`);
});

test("the prompt points the Triage Agent to the feature requests that were declined before (A31)", () => {
  expect(prompt).toContain("/run/checkout/.out-of-scope/");
});

test("the triage skill has the front matter that agents look for, and knows every outcome", () => {
  const skill = readFileSync(join(packageFolder("skills"), "triage", "SKILL.md"), "utf8");
  const frontMatter = /^---\nname: triage\ndescription: (.{20,1024})\n---\n/.exec(skill);
  expect(frontMatter).not.toBeNull();
  for (const state of triageStates) expect(skill).toContain(`\`${state}\``);
});

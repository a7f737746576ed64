import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageFolder, renderPrompt, triageStates } from "../../src/triage/index.ts";

const files = {
  checkout: "/run/checkout",
  control: "/run/control",
  issue: "/run/control/issue.json",
  prompt: "/run/control/prompt.md",
  skills: "/run/control/skills",
  outcome: "/run/control/outcome.json",
};
const prompt = renderPrompt({ files, repo: "octo/widgets", number: 123, nonce: "5eed" });

test("S3: the prompt names the issue file and its nonce; it is never given the issue", () => {
  for (const path of [files.checkout, files.issue, files.outcome, `${files.skills}/triage/SKILL.md`]) {
    expect(prompt).toContain(path);
  }
  expect(prompt).toContain("untrusted-5eed");
  expect(prompt).toContain("issue 123 of the repository octo/widgets");
  expect(prompt).not.toContain("{{");
});

test("A30: the prompt carries the outcome schema that the outcome is checked by", () => {
  const schema: unknown = JSON.parse(/```json\n([\s\S]*?)\n```/.exec(prompt)?.[1] ?? "");
  expect(schema).toMatchObject({
    additionalProperties: false,
    properties: { schema: { const: "afk-triage/outcome@1" }, outcome: { enum: [...triageStates] } },
  });
});

test("the triage skill has the front matter that agents look for, and knows every outcome", () => {
  const skill = readFileSync(join(packageFolder("skills"), "triage", "SKILL.md"), "utf8");
  const frontMatter = /^---\nname: triage\ndescription: (.{20,1024})\n---\n/.exec(skill);
  expect(frontMatter).not.toBeNull();
  for (const state of triageStates) expect(skill).toContain(`\`${state}\``);
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diagnose } from "./diagnose.ts";
import { violationsOf } from "./rules.ts";
import { fileNamed, ROOT, stepsOf, workflowFile } from "./workflow-files.ts";

test("the ten lines of docs/actions.md are ten, keep the rules, and give the action inputs it has (S19)", async () => {
  const page = await readFile(join(ROOT, "docs", "actions.md"), "utf8");
  const yaml = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  expect(yaml.trim().split("\n")).toHaveLength(10);
  const reference = "OWNER/afk-triage/.github/actions/triage@COMMIT";
  expect(yaml).toContain(reference);
  // The pin is the reader's to fill in.
  const file = workflowFile(
    ".github/workflows/documented.yml",
    yaml.replace(reference, "./.github/actions/triage"),
  );
  expect(violationsOf(file)).toEqual([]);
  expect(await diagnose(file)).toEqual([]);
  const inputs = Object.keys(fileNamed(".github/actions/triage/action.yml").document.inputs ?? {});
  const [given] = stepsOf(file).map(({ step }) => Object.keys(step.with ?? {}));
  expect(inputs).toEqual(expect.arrayContaining(given ?? []));
});

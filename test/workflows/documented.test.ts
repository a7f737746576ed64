import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diagnose } from "./diagnose.ts";
import { violationsOf } from "./rules.ts";
import { fileNamed, ROOT, stepsOf, workflowFile } from "./workflow-files.ts";

test("the example in docs/actions.md has ten lines, keeps the rules, and uses only inputs that the action has (S19)", async () => {
  const page = await readFile(join(ROOT, "docs", "actions.md"), "utf8");
  const yaml = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  expect(yaml.trim().split("\n")).toHaveLength(10);
  const reference = "OWNER/afk-triage/.github/actions/triage@COMMIT";
  expect(yaml).toContain(reference);
  // The reader has to fill in the pin.
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

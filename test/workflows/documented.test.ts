import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diagnose } from "./diagnose.ts";
import { violationsOf } from "./rules.ts";
import { fileNamed, ROOT, stepsOf, workflowFile } from "./workflow-files.ts";

const REFERENCE = "OWNER/afk-triage/.github/actions/triage@COMMIT";

test.each(["docs/actions.md", "README.md"])(
  "the example in %s has thirteen lines, keeps the rules, and uses only inputs that the action has (S19)",
  async (page) => {
    const yaml = await exampleIn(page);
    expect(yaml.trim().split("\n")).toHaveLength(13);
    expect(yaml).toContain(REFERENCE);
    const file = documented(yaml);
    expect(violationsOf(file)).toEqual([]);
    expect(await diagnose(file)).toEqual([]);
    const inputs = Object.keys(fileNamed(".github/actions/triage/action.yml").document.inputs ?? {});
    const given = stepsOf(file).find(({ step }) => step.uses === "./.github/actions/triage");
    expect(inputs).toEqual(expect.arrayContaining(Object.keys(given?.step.with ?? {})));
  },
);

test.each(["docs/actions.md", "README.md"])(
  "the example in %s checks the repository out first, as the workflow that init writes does, so that its config file is read (S19, T14)",
  async (page) => {
    const [first] = stepsOf(documented(await exampleIn(page)));
    const [written] = stepsOf(fileNamed(".github/workflows/triage-of-others.yml"));
    expect(first?.step).toEqual(written?.step);
    expect(first?.step.uses).toMatch(/^actions\/checkout@/);
  },
);

test.each(["docs/actions.md", "README.md"])(
  "the job in %s names the environment whose secrets it uses, as the workflow that init writes does (S19)",
  async (page) => {
    const { environment } = documented(await exampleIn(page)).document.jobs?.["triage"] ?? {};
    const written = fileNamed(".github/workflows/triage-of-others.yml").document.jobs?.["triage"];
    expect(environment).toBe("triage");
    expect(environment).toBe(written?.environment);
  },
);

async function exampleIn(page: string): Promise<string> {
  return /```yaml\n([\s\S]*?)```/.exec(await readFile(join(ROOT, page), "utf8"))?.[1] ?? "";
}

/** The reader has to fill in the pin; here the action is the one in this repository. */
function documented(yaml: string): ReturnType<typeof workflowFile> {
  return workflowFile(
    ".github/workflows/documented.yml",
    yaml.replace(REFERENCE, "./.github/actions/triage"),
  );
}

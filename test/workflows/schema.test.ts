import { describe, expect, test } from "vitest";
import { diagnose } from "./diagnose.ts";
import { WORKFLOW_FILES, workflowFile } from "./workflow-files.ts";

test.each(WORKFLOW_FILES.map((file) => [file.path, file] as const))(
  "GitHub's language service accepts %s (S19)",
  async (_, file) => expect(await diagnose(file)).toEqual([]),
);

const WORKFLOW = `on: push
jobs:
  first:
    runs-on: ubuntu-24.04
    outputs: { x: "1" }
    steps:
      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd
        with: { fetch-depth: 1 }
  second:
    needs: first
    runs-on: ubuntu-24.04
    env: { X: "\${{ needs.first.outputs.x }}" }
    steps:
      - run: echo
`;

const ACTION = `name: example
description: An example
inputs: { a: { description: A } }
runs:
  using: composite
  steps:
    - run: echo
      shell: bash
      env: { A: "\${{ inputs.a }}" }
`;

describe("the language service finds (S19)", () => {
  const check = async (path: string, text: string, says: RegExp | null) => {
    const found = (await diagnose(workflowFile(path, text))).join("\n");
    if (says === null) expect(found).toBe("");
    else expect(found).toMatch(says);
  };

  test.each<[string, string, string, RegExp | null]>([
    ["nothing in a good workflow", "on: push", "on: push", null],
    ["an unknown trigger", "on: push", "on: psh", /psh/],
    ["an unknown key", "runs-on", "runs-in", /runs-in/],
    ["an unknown job", "needs: first", "needs: frist", /frist/],
    ["an unknown output of a job", "outputs.x }}", "outputs.y }}", /y/],
    ["an unknown context", "needs.first", "need.first", /need/],
    ["an unknown fact of an event", "needs.first.outputs.x", "github.evnt", /evnt/],
    ["an unknown input of a pinned action", "fetch-depth", "fetch-deep", /fetch-deep/],
    ["an action that is not pinned here", "actions/checkout", "actions/chekout", /actions\/chekout/],
    [
      "a permission that does not exist",
      "steps:\n      - run",
      "permissions: { issue: write }\n    steps:\n      - run",
      /issue/,
    ],
  ])("%s", (_, good, bad, says) => check(".github/workflows/x.yml", WORKFLOW.replace(good, bad), says));

  test.each<[string, string, string, RegExp | null]>([
    ["nothing in a good action", "run: echo", "run: echo", null],
    ["a step of an action without a shell", "      shell: bash\n", "", /shell/],
    ["a secret inside an action", "inputs.a }}", "secrets.a }}", /secrets/],
    ["an unknown key", "using:", "use:", /use/],
  ])("%s", (_, good, bad, says) => check(".github/actions/x/action.yml", ACTION.replace(good, bad), says));
});

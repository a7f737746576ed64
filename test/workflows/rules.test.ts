import { describe, expect, test } from "vitest";
import { violationsOf } from "./rules.ts";
import { fileNamed, stepsOf, WORKFLOW_FILES, workflowFile } from "./workflow-files.ts";

test.each(WORKFLOW_FILES.map((file) => [file.path, file] as const))("%s keeps the rules (S19)", (_, file) =>
  expect(violationsOf(file)).toEqual([]),
);

const CHECKOUT = "actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd";

const GOOD = `
on: push
permissions: {}
concurrency: { group: example }
jobs:
  example:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    permissions: { contents: read }
    steps:
      - uses: ${CHECKOUT} # v6.0.2
        with:
          persist-credentials: false
      - shell: bash
        env: { TITLE: "\${{ github.event.issue.title }}" }
        run: echo "$TITLE"
`;

const GOOD_ACTION = `
inputs: { issue: { default: "" } }
outputs: { x: { value: "\${{ steps.first.outputs.x }}" } }
runs:
  using: composite
  steps:
    - id: first
      shell: bash
      env: { ISSUE: "\${{ inputs.issue }}" }
      run: echo "$ISSUE"
`;

describe("the rules find (S19)", () => {
  test("the rules find nothing in a good workflow", () =>
    expect(violationsOf(workflowFile("x.yml", GOOD))).toEqual([]));

  test.each<[string, string | RegExp, string, string]>([
    ["an action by tag", `${CHECKOUT} # v6.0.2`, "actions/checkout@v6", "not pinned"],
    ["an action by a short commit", CHECKOUT, CHECKOUT.slice(0, -8), "not pinned"],
    ["an image", CHECKOUT, "docker://alpine:3", "not pinned"],
    ["an action that was not reviewed", CHECKOUT, `else/where@${"a".repeat(40)}`, "review it"],
    ["another commit of a reviewed action", CHECKOUT, `actions/checkout@${"a".repeat(40)}`, "review it"],
    ["a commit without its version", " # v6.0.2", "", "needs the comment # v6.0.2"],
    ["a commit under a wrong version", "# v6.0.2", "# v5.0.0", "needs the comment # v6.0.2"],
    ["a token left in the checkout", "persist-credentials: false", "fetch-depth: 1", "persist-credentials"],
    ["a token kept on purpose", "persist-credentials: false", "persist-credentials: true", "token"],
    ["issue text in the shell", 'echo "$TITLE"', "echo ${{ github.event.issue.title }}", "inside run:"],
    ["an input in the shell", 'echo "$TITLE"', "echo ${{inputs.issue}}", "inside run:"],
    [
      "issue text in a script",
      "persist-credentials: false",
      "persist-credentials: false\n          script: a(${{ github.event.issue.title }})",
      "inside script:",
    ],
    ["pull_request_target", "on: push", "on: [push, pull_request_target]", "foreign code"],
    ["workflow_run", "on: push", "on: { workflow_run: { workflows: [ci] } }", "foreign code"],
    ["default permissions", "permissions: {}\nc", "c", "workflow's permissions"],
    ["a workflow that may write", "permissions: {}\nc", "permissions: { issues: write }\nc", "permissions"],
    ["write-all", "permissions: {}\nc", "permissions: write-all\nc", "workflow's permissions"],
    ["a job without permissions", "    permissions: { contents: read }\n", "", "no permissions of its own"],
    ["a job with all permissions", "{ contents: read }", "write-all", "no permissions of its own"],
    ["no timeout", "    timeout-minutes: 5\n", "", "six hours"],
    ["no concurrency group", "concurrency: { group: example }\n", "", "two runs meet"],
    ["a shell without pipefail", "shell: bash", "shell: sh", "pipefail"],
    ["the default shell", "- shell: bash\n        env", "- env", "pipefail"],
    [
      "a secret on a pull request",
      /on: push([\s\S]*)TITLE: "[^"]*"/,
      'on: pull_request$1TITLE: "${{ secrets.KEY }}"',
      "holds a secret",
    ],
    [
      "a write permission on a pull request",
      /on: push([\s\S]*)contents: read/,
      "on: pull_request$1issues: write",
      "holds a secret",
    ],
    ["all secrets passed on", "    timeout-minutes", "    secrets: inherit\n    timeout-minutes", "inherit"],
  ])("%s", (_, good, bad, violation) => {
    const text = typeof good === "string" ? GOOD.replace(good, () => bad) : GOOD.replace(good, bad);
    expect(text).not.toBe(GOOD);
    expect(violationsOf(workflowFile("x.yml", text)).join("\n")).toContain(violation);
  });

  test.each<[string, string, string, string]>([
    ["a step of an action without bash", "shell: bash", "shell: sh", "step 1: add shell: bash"],
    ["an input that does not exist", "inputs.issue", "inputs.isue", "there is no input isue"],
    ["an unused input", "inputs.issue", "github.actor", "the input issue is not used"],
    ["a step that does not exist", "steps.first", "steps.frist", "there is no step frist"],
    ["an input in the shell", 'echo "$ISSUE"', "echo ${{ inputs.issue }}", "inside run:"],
  ])("%s", (_, good, bad, violation) => {
    expect(violationsOf(workflowFile("action.yml", GOOD_ACTION))).toEqual([]);
    const text = GOOD_ACTION.replace(good, () => bad);
    expect(violationsOf(workflowFile("action.yml", text)).join("\n")).toContain(violation);
  });
});

test("the table lists every write permission of every job (S19)", () => {
  const writes = WORKFLOW_FILES.flatMap(({ path, document }) =>
    Object.entries(document.jobs ?? {}).flatMap(([name, job]) =>
      Object.entries((job.permissions ?? {}) as Record<string, string>)
        .filter(([, access]) => access !== "read")
        .map(([scope, access]) => `${path} ${name} ${scope}: ${access}`),
    ),
  );
  expect(writes).toEqual([
    ".github/workflows/release.yml publish id-token: write",
    ".github/workflows/release.yml announce contents: write",
  ]);
});

test("every input that a workflow passes to a local action exists, and every required input is set (S19)", () => {
  const action = fileNamed(".github/actions/triage/action.yml").document;
  const known = Object.keys(action.inputs ?? {});
  const callers = WORKFLOW_FILES.flatMap((file) =>
    stepsOf(file).filter(({ step }) => step.uses?.endsWith("/.github/actions/triage")),
  );
  expect(callers).toHaveLength(3);
  for (const { step } of callers) expect(known).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})));
  expect(Object.values(action.inputs ?? {}).filter((input) => input.default === undefined)).toEqual([]);
});

test("the publishing job checks nothing out, installs nothing and has no token (S20)", () => {
  const { publish } = fileNamed(".github/workflows/release.yml").document.jobs ?? {};
  const text = JSON.stringify(publish);
  expect(text).toContain("npm publish ./packed/*.tgz --provenance");
  expect(text).not.toMatch(/checkout|npm ci|npm install|secrets\./);
});

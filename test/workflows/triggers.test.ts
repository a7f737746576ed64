import { describe, expect, test } from "vitest";
import { evaluate } from "./evaluate.ts";
import { concurrencyGroupOf, fileNamed } from "./workflow-files.ts";

const issue = (...labels: string[]) => ({ labels: labels.map((name) => ({ name })) });
const comment = (type = "User") => ({ user: { type } });

interface Case {
  event: string;
  payload: object;
  inputs?: Record<string, string | boolean>;
  /** Whether a batch runs. */
  runs: boolean;
  /** Default: the group of batches that look for all eligible issues, or one of its own. */
  group?: string;
}

const CASES: Record<string, Case> = {
  "the schedule": { event: "schedule", payload: {}, runs: true },
  "a person in the Actions tab": { event: "workflow_dispatch", payload: {}, runs: true },
  "a person who asks for one issue": {
    event: "workflow_dispatch",
    payload: {},
    inputs: { issue: "142", "dry-run": false },
    runs: true,
    group: "triage-77",
  },
  "a person who asks for a dry run": {
    event: "workflow_dispatch",
    payload: {},
    inputs: { issue: "", "dry-run": true },
    runs: true,
    group: "triage-77",
  },
  "a person who asks for a batch": {
    event: "workflow_dispatch",
    payload: {},
    inputs: { issue: "", "dry-run": false },
    runs: true,
  },
  "an issue that waits for triage": {
    event: "issues",
    payload: { action: "labeled", issue: issue("bug", "needs-triage") },
    runs: true,
  },
  "a label on an issue that does not wait": {
    event: "issues",
    payload: { action: "labeled", issue: issue("wontfix") },
    runs: false,
  },
  "a comment on an issue that waits for information": {
    event: "issue_comment",
    payload: { issue: issue("needs-info"), comment: comment() },
    runs: true,
  },
  "a comment on any other issue": {
    event: "issue_comment",
    payload: { issue: issue("bug"), comment: comment() },
    runs: false,
  },
  "a bot's comment, including our own": {
    event: "issue_comment",
    payload: { issue: issue("needs-info"), comment: comment("Bot") },
    runs: false,
  },
  "a comment on a pull request": {
    event: "issue_comment",
    payload: { issue: { ...issue("needs-info"), pull_request: { url: "…" } }, comment: comment() },
    runs: false,
  },
};

describe.each([".github/workflows/triage.yml", ".github/workflows/triage-of-others.yml"])("%s", (path) => {
  const file = fileNamed(path);
  const { document } = file;

  test.each(Object.entries(CASES))("the workflow reacts to %s (S14)", (_, one) => {
    const { event, payload, inputs = {}, runs, group = runs ? "triage" : "triage-nothing-77" } = one;
    const github = { event_name: event, event: payload, run_id: "77" };
    expect(evaluate(document.jobs?.["triage"]?.if ?? "", { github, inputs })).toBe(runs);
    // Only the last of the runs that wait in a group stays, so only batches that do the same may share a group.
    expect(evaluate(concurrencyGroupOf(file) ?? "", { github, inputs })).toBe(group);
  });
});

test("a person's batch of some issues does not take the place of one that waits (S14)", () => {
  const group = concurrencyGroupOf(fileNamed(".github/workflows/triage.yml")) ?? "";
  const github = { event_name: "workflow_dispatch", event: {}, run_id: "77" };
  expect(evaluate(group, { github, inputs: { "max-issues": "3" } })).toBe("triage-77");
});

test("a sweep and a Triage Batch do not cancel each other's waiting runs (W5)", () => {
  expect(concurrencyGroupOf(fileNamed(".github/workflows/sweep-of-others.yml"))).toBe("triage-sweep");
});

describe("the shards of a run (T14)", () => {
  const shards = (contexts: Record<string, unknown>): unknown =>
    evaluate(
      String(fileNamed(".github/workflows/triage.yml").document.jobs?.["triage"]?.strategy?.matrix["shard"]),
      contexts,
    );

  test.each<[string, Record<string, unknown>, string[]]>([
    ["one by default", {}, ["1/1"]],
    ["the number that a person chose", { inputs: { shards: "2" } }, ["1/2", "2/2"]],
    ["the number in the repository's variable", { vars: { AFK_TRIAGE_SHARDS: "2" } }, ["1/2", "2/2"]],
    [
      "a person's choice takes precedence over the variable",
      { inputs: { shards: "1" }, vars: { AFK_TRIAGE_SHARDS: "2" } },
      ["1/1"],
    ],
  ])("%s", (_, contexts, expected) => expect(shards(contexts)).toEqual(expected));

  test("every choice of n leads to n shards, each exactly once", () => {
    const { on } = fileNamed(".github/workflows/triage.yml").document;
    const dispatch = (on as { workflow_dispatch: { inputs: { shards: { options: string[] } } } })
      .workflow_dispatch;
    for (const count of dispatch.inputs.shards.options) {
      const expected = Array.from({ length: Number(count) }, (_, index) => `${index + 1}/${count}`);
      expect(shards({ inputs: { shards: count } })).toEqual(expected);
    }
  });
});

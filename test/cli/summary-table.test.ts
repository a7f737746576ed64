import { expect, test } from "vitest";
import { dryRunTable, jobSummary, summaryTable } from "../../src/cli/output/index.ts";
import type { BatchSummary } from "../../src/triage/index.ts";

const issue = (number: number, reason: string): BatchSummary["issues"][number] => ({
  repo: "o/r",
  number,
  status: "skipped",
  reason,
  category: null,
  outcome: null,
  modelSessions: [],
  deniedRequests: null,
  policy: [],
  commentUrl: null,
  workspace: null,
  evidence: null,
  artifacts: {
    eventLog: null,
    recording: null,
    screenshot: null,
    outcome: null,
    verification: null,
    patch: null,
  },
  usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
  timings: { provisionMs: 0, agentMs: 0, verifyMs: 0, applyMs: 0, destroyMs: 0, cleanMs: 0 },
  error: null,
});
const summary: BatchSummary = {
  schema: "afk-triage/summary@1",
  runId: "20261121T093000Z",
  repos: ["o/r"],
  startedAt: "2026-11-21T09:30:00.000Z",
  finishedAt: "2026-11-21T09:30:01.000Z",
  totals: { applied: 0, skipped: 3, locked: 0, requeued: 0, failed: 0 },
  issues: [
    issue(1, "needs-triage"),
    issue(12, "needs-info-with-new-activity"),
    issue(13, "needs-info-without-new-activity"),
  ],
  stranded: [],
  kept: [],
};

test("a dry run shows which issues would be triaged and why the others would not; a summary is a table if the terminal is wide enough", () => {
  expect(dryRunTable(summary, { answerColumns: 80, paint: (_tone, text) => text })).toEqual([
    "",
    "issue   triaged  why",
    "o/r#1   yes      needs-triage",
    "o/r#12  yes      needs-info-with-new-activity",
    "o/r#13  no       needs-info-without-new-activity",
    "",
    "2 would be triaged, 1 not; nothing was written",
  ]);

  const totals = ["", "0 applied, 3 skipped, 0 locked, 0 requeued, 0 failed"];
  const narrow = summaryTable(summary, { answerColumns: 80, paint: (_tone, text) => text });
  expect(narrow.slice(0, 3)).toEqual(["", "o/r#1  skipped", "    needs-triage"]);
  expect(narrow.slice(-2)).toEqual(totals);
  const wide = summaryTable(summary, { answerColumns: 120, paint: (_tone, text) => text });
  expect(wide.slice(1, 3)).toEqual([
    "issue   status   outcome  why                              Coder workspace",
    "o/r#1   skipped  -        needs-triage                     -",
  ]);
});

test("the job summary of a dry run says which issues would be triaged, and that nothing was written (T13)", () => {
  const text = jobSummary(summary, [], { artifactsUrl: null, screens: new Map(), isDryRun: true });
  expect(text).toMatch(/^### Triage Batch 20261121T093000Z \(dry run: nothing was written\)\n/);
  expect(text).toContain(
    "| Issue | Triaged | Why |\n| --- | --- | --- |\n| o/r&#35;1 | yes | needs-triage |\n",
  );
  expect(text).toContain("| o/r&#35;13 | no | needs-info-without-new-activity |");
  expect(text).not.toContain("skipped");
});

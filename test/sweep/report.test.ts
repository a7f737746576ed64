import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sweepDocument } from "../../src/cli/output/sweep-document.ts";
import { sweepPlanTable, sweepTable } from "../../src/cli/output/index.ts";
import { estimateSweep, reportHtml, sweepReport, writeSweepReport } from "../../src/sweep/index.ts";
import type { BatchSummary } from "../../src/triage/index.ts";
import { boardStage } from "../board/board-stage.ts";
import { fakeSource } from "../board/fake-source.ts";
import { brokenVerdict, fixedVerdict, sweptIssue } from "../support/swept-issue.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const NO_LIMITS = { runUsd: null, batchUsd: null };
const NOW_MS = Date.parse("2026-11-22T12:00:00Z");

const HOSTILE = '=HYPERLINK("x")<script>alert(1)</script>';
const ISSUES = [
  sweptIssue(1, fixedVerdict, { close: { type: "done", at: "" }, labels: ["parser"] }),
  sweptIssue(2, fixedVerdict, { title: HOSTILE, labels: ["parser"] }),
  sweptIssue(3, brokenVerdict, { people: 2 }),
  sweptIssue(4, brokenVerdict, { people: 1, reactions: 9, labels: ["parser"] }),
  sweptIssue(5, { type: "withheld" }, { title: "(withheld)" }),
];

test("a report lists closable issues and the bugs that affect the most people, and counts by version and label (W6)", () => {
  const report = sweepReport(ISSUES, NOW_MS);
  expect(report.verdicts).toEqual({ fixed: 2, "still-broken": 2 });
  expect(report.toClose.map(({ number }) => number)).toEqual([2]);
  expect(report.worst.map(({ number }) => number)).toEqual([4, 3]);
  expect(report.byVersion).toEqual([
    { version: "1.1.0", fixed: 0, brokenSince: 2 },
    { version: "1.2.0", fixed: 2, brokenSince: 0 },
  ]);
  expect(report.byArea).toEqual([{ label: "parser", issues: 3, fixed: 2, stillBroken: 1 }]);
  expect(report.issues.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
});

test("no short list of a report contains a closed issue or a close with an objection, and only an open fixed issue has a closing day (W3, W6)", () => {
  const said = {
    key: "fixed:1.2.0",
    commentId: 5,
    url: "u",
    at: "2026-11-01T00:00:00Z",
    closeAfter: "2026-11-15T00:00:00.000Z",
    textHash: null,
  };
  const swept = [
    sweptIssue(1, fixedVerdict, { said, isOpen: false }),
    sweptIssue(2, fixedVerdict, { said, close: { type: "cancelled", why: "reply", at: "" } }),
    sweptIssue(3, fixedVerdict, { said }),
    sweptIssue(4, brokenVerdict, { said }),
    sweptIssue(5, brokenVerdict, { isOpen: false, labels: ["parser"] }),
  ];
  const { toClose, worst, issues, byVersion, byArea } = sweepReport(swept, NOW_MS);
  expect(toClose.map(({ number }) => number)).toEqual([3]);
  expect(worst.map(({ number }) => number)).toEqual([4]);
  expect(byVersion).toEqual([
    { version: "1.2.0", fixed: 2, brokenSince: 0 },
    { version: "1.1.0", fixed: 0, brokenSince: 1 },
  ]);
  expect(byArea).toEqual([]);
  expect(issues.map(({ closeAfter }) => closeAfter)).toEqual(["", "", said.closeAfter, "", ""]);
  expect(issues.map(({ isOpen }) => isOpen)).toEqual([false, true, true, true, false]);
  const line = { repo: "octo/widgets", status: "skipped", reason: "already-swept" };
  const summary = { issues: swept.map(({ number }) => ({ ...line, number })) } as unknown as BatchSummary;
  const document = sweepDocument({ summary, planned: [], plan: estimateSweep([], NO_LIMITS), swept });
  expect(document.issues.map(({ closeAfter }) => closeAfter)).toEqual([
    null,
    null,
    said.closeAfter,
    null,
    null,
  ]);
});

test("a shortened list of a report states the total number of rows (W6)", () => {
  const fixed = Array.from({ length: 60 }, (_, at) => sweptIssue(at + 1, fixedVerdict));
  const broken = Array.from({ length: 55 }, (_, at) =>
    sweptIssue(at + 100, { ...brokenVerdict, since: `2.${at}.0` }, { labels: [`area ${at}`] }),
  );
  const report = sweepReport([...fixed, ...broken], NOW_MS);
  expect([report.toClose, report.worst, report.byVersion, report.byArea].map((rows) => rows.length)).toEqual([
    50, 50, 50, 50,
  ]);
  expect(report.totals).toEqual({ toClose: 60, worst: 55, byVersion: 56, byArea: 55 });
  const page = reportHtml(report, null);
  expect(page).toContain("<h2>What can be closed (50 of 60)</h2>");
  expect(page).toContain("<h2>What to look at first (50 of 55)</h2>");
  expect(page).toContain("<h2>By version (50 of 56)</h2>");
  expect(page).toContain("<h2>By label (50 of 55)</h2>");
  expect(page).toContain("<h2>All verdicts</h2>");
});

test("the table at the end of a sweep says what its runs showed, and how many issues were chosen (W6)", () => {
  const ends = { firstBad: null, firstFixed: null, test: null };
  const evidence = { verdict: "not-reproduced", runs: "0/5", controls: "0/2", place: "fresh", ...ends };
  const line = {
    repo: "octo/widgets",
    number: 3,
    status: "applied",
    reason: "without-verdict",
    error: null,
    evidence,
  };
  const later = { ...line, number: 4, status: "skipped", reason: "already-swept", evidence: null };
  const locked = { ...line, number: 5, status: "locked", reason: "locked-by-another-parent", evidence: null };
  const cancelled = { ...line, number: 6, reason: "close-cancelled-by-reply" };
  const summary = { issues: [line, later, locked, cancelled] } as unknown as BatchSummary;
  const planned = [3, 5, 6].map((number) => ({
    repo: "octo/widgets" as const,
    number,
    title: "It breaks",
    reason: "without-verdict",
    road: "issue" as const,
    rank: 3,
  }));
  const plan = estimateSweep(planned, NO_LIMITS);
  const document = sweepDocument({ summary, planned, plan, swept: [sweptIssue(3, brokenVerdict)] });
  const table = sweepTable(document, { answerColumns: 120 });
  expect(table).toContainEqual(
    expect.stringMatching(
      /^octo\/widgets#3 .* applied +not-reproduced: 0 of 5 runs, 0 of 2 control runs show it too/,
    ),
  );
  expect(table).toContainEqual(
    expect.stringMatching(/^octo\/widgets#5 .* locked +locked-by-another-parent$/),
  );
  expect(table).toContainEqual(
    expect.stringMatching(/^octo\/widgets#6 .* applied +close-cancelled-by-reply$/),
  );
  // A locked issue was not examined.
  expect(table).toContain("2 of 3 chosen issues examined (4 looked at)");
  expect(table).toContain("not chosen: 1 already-swept");
  expect(sweepPlanTable(document, { answerColumns: 120 }).join("\n")).toContain(
    "3 of 4 issues would be examined: 3 with a reproduction found in the issue",
  );
  const gone = { ...later, number: 99, reason: "issue-not-found" };
  const named = sweepDocument({
    summary: { issues: [gone] } as unknown as BatchSummary,
    planned: [],
    plan: estimateSweep([], NO_LIMITS),
    swept: [],
  });
  for (const lines of [sweepTable, sweepPlanTable].map((of) => of(named, { answerColumns: 120 })))
    expect(lines).toContain("not chosen: 1 issue-not-found");
  const one = { ...document, plan: estimateSweep(planned.slice(0, 1), NO_LIMITS) };
  expect(sweepPlanTable(one, { answerColumns: 120 }).join("\n")).toContain(
    "1 Coder workspace, 0 Triage Agents,",
  );
});

test("a report is written as HTML, CSV and JSON in which no title is markup or a formula (W6)", async () => {
  await using directory = await temporaryDirectory();
  await writeSweepReport(sweepReport(ISSUES, NOW_MS), directory.path);
  const read = (name: string): Promise<string> => readFile(join(directory.path, name), "utf8");
  const page = await read("index.html");
  expect(page).not.toContain("<script>");
  expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  const lines = (await read("sweep.csv")).split("\r\n");
  expect(lines[0]).toContain("repo,number,title,verdict");
  expect(lines[2]).toContain(`octo/widgets,2,"'=HYPERLINK(""x"")<script>`);
  expect(JSON.parse(await read("sweep.json"))).toMatchObject({ schema: "afk-triage/sweep-report@1" });
});

test("the board shows the report only to readers with the token, and blocks scripts in it (W6)", async () => {
  const sweepPage = (nonce: string): Promise<string> =>
    Promise.resolve(reportHtml(sweepReport(ISSUES, NOW_MS), nonce));
  await using stage = await boardStage(fakeSource(), { sweepPage });
  expect((await stage.get("/api/sweep", { Authorization: "" })).status).toBe(401);
  const answer = await stage.get("/api/sweep");
  const policy = answer.headers.get("content-security-policy") ?? "";
  const [, nonce = ""] = /style-src 'nonce-([0-9a-f]+)'/.exec(policy) ?? [];
  expect(policy).toContain("default-src 'none'");
  expect(await answer.text()).toContain(`<style nonce="${nonce}">`);
});

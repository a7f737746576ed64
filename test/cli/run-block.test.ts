import { expect, test } from "vitest";
import { runBlock, runLine, verifiedLines } from "../../src/cli/output/index.ts";
import { displayWidth } from "../../src/layout/index.ts";
import { selectedTriageRun, type TriageRunFacts } from "../../src/runs/index.ts";
import type { RunRow } from "../../src/store/index.ts";

type End = Extract<TriageRunFacts["progress"], { phase: "settled" }>["end"];

const selected = selectedTriageRun({ runId: "20261121T093000Z", repo: "o/r", number: 6, atMs: 0 });

/** Ten minutes in the queue, 48 seconds of work. */
const HISTORY = [
  { phase: "selected", atMs: -600_000 },
  { phase: "creating", atMs: 0 },
  { phase: "settled", atMs: 48_000 },
] as const;

function rowOf(end: End, title = "Crash on an empty file"): RunRow {
  return {
    key: "o/r#6",
    displayStatus: "terminated",
    indicator: { symbol: "✅", isPulsing: false },
    startedAtMs: -600_000,
    settledAtMs: 48_000,
    facts: {
      ...selected,
      issue: { title, url: "https://github.com/o/r/issues/6", waitingSinceMs: null },
      progress: { phase: "settled", history: HISTORY, end },
      result: {
        category: "bug",
        commentUrl: "https://github.com/o/r/issues/6#issuecomment-1",
        usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
      },
    },
  };
}

const applied: End = { status: "applied", reason: "needs-triage", outcome: "ready-for-agent" };
const error = { code: "TRIAGE_AGENT_FAILED", message: "it ended with 1", remedy: "Look at its recording." };
const plain = { columns: 120, paint: (_tone: string, text: string) => text };
const shown = {
  isParentDead: false,
  evidence: "evidence: verified, 3 of 3 runs",
  play: "agent-tty play x.cast",
};

test("the time in the queue does not count as the run's (T13)", () => {
  expect(runLine(rowOf(applied))).toContain("  48 s  ");
  const [selectedOnly] = HISTORY;
  const row = rowOf(applied);
  const queued = {
    ...row,
    settledAtMs: null,
    facts: { ...row.facts, progress: { phase: "selected", history: [selectedOnly] } },
  };
  expect(runLine(queued as RunRow)).toContain("  0 ms  ");
});

test("a block begins with title → outcome, then shows evidence, run, comment and how to play the recording", () => {
  expect(runBlock({ row: rowOf(applied), ...shown }, plain)).toEqual([
    "✅ Crash on an empty file → ready-for-agent",
    "   o/r#6 · done · bug · evidence: verified, 3 of 3 runs · 48 s · run 20261121T093000Z",
    "   https://github.com/o/r/issues/6#issuecomment-1 · play: agent-tty play x.cast",
  ]);
});

test("failed, stopped, killed, locked, skipped and requeued runs look different, and none is shown as terminated", () => {
  const ends: End[] = [
    applied,
    { status: "failed", reason: "needs-triage", outcome: null, error },
    { status: "skipped", reason: "stopped" },
    { status: "skipped", reason: "killed" },
    { status: "locked", reason: "locked-by-another-parent" },
    { status: "skipped", reason: "no-longer-eligible" },
    { status: "requeued", reason: "issue-changed", outcome: null },
  ];
  const lines = ends.map((end) => runLine(rowOf(end)));
  expect(lines.map((line) => line.replace(/ {2}48 s.*/, ""))).toEqual([
    "✅ o/r#6  done",
    "❌ o/r#6  failed",
    "🛑 o/r#6  stopped",
    "💀 o/r#6  killed",
    "🔒 o/r#6  locked",
    "⏩ o/r#6  skipped",
    "🔁 o/r#6  requeued",
  ]);
  expect(lines.join("\n")).not.toContain("terminated");
  expect(runBlock({ row: rowOf(ends[1] as End), ...shown }, plain).slice(-2)).toEqual([
    "   it ended with 1",
    "   what to do: Look at its recording.",
  ]);
});

test("a block fits a narrow terminal, with CJK and emoji in the title", () => {
  const row = rowOf(
    applied,
    "空のファイルでクラッシュする 🐛 when the file is empty and nothing else is there",
  );
  const lines = runBlock({ row, ...shown }, { ...plain, columns: 50 });
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(50);
  expect(lines[1]).toMatch(/^ {3}\S/);
});

test("a reproduction that could not be run again is shown with its remedy on a line of its own, below the screen", () => {
  const lines = verifiedLines(
    {
      repo: "o/r",
      number: 1,
      title: "slugify eats letters",
      verdict: "impossible",
      matchedRuns: 0,
      runs: 0,
      commit: null,
      before: "still-broken",
      recording: null,
      error: {
        code: "VERIFICATION_IMPOSSIBLE",
        message: "prepare the checkout: exit code 128. The screen showed:\nfatal: invalid reference: nosuch",
        remedy: "Correct --ref.",
      },
    },
    80,
  );
  expect(lines.join("\n").split("\n")).toEqual([
    "o/r#1  impossible, was still-broken  slugify eats letters: prepare the checkout:",
    "exit code 128. The screen showed:",
    "fatal: invalid reference: nosuch",
    "    what to do: Correct --ref.",
  ]);
});

import type { BatchDocument } from "../../../src/board/index.ts";
import { FakeBoardSource, type FakeRun } from "./fake-board-source.ts";
import { demoRuns, NIGHT, heroDocument, waitingDocument } from "./demo-runs.ts";
import { demoDuplicates } from "./demo-duplicates.ts";
import { heroIssue } from "./demo-issue.ts";
import { demoStatistics } from "./demo-statistics.ts";
import { demoTrust } from "./demo-trust.ts";
import { recordedTerminal } from "./recorded-terminal.ts";
import { verificationTerminal } from "./verification-terminal.ts";
import { buildRun } from "./run-builder.ts";

/** The morning after the batch, when somebody opens the page. */
export const MORNING_MS = Date.parse("2026-11-21T06:14:00Z");

/** Returns a maintainer's morning: last night's batch still in progress, earlier nights finished. */
export async function demoBoard(): Promise<FakeBoardSource> {
  const source = new FakeBoardSource(demoStatistics());
  source.duplicatesDocument = demoDuplicates;
  source.trustDocument = demoTrust(MORNING_MS);
  const runs = demoRuns(MORNING_MS);
  for (const facts of runs) source.put(buildRun(facts));
  for (const batch of batchesOf(runs.map((facts) => buildRun(facts)))) source.putBatch(batch);
  source.put(await heroRun(runs[0]));
  source.put(await waitingRun(runs[1]));
  return source;
}

export const heroId = `${NIGHT}:acme~widgets:142`;
export const waitingId = `${NIGHT}:acme~widgets:151`;

async function heroRun(facts: Parameters<typeof buildRun>[0] | undefined): Promise<FakeRun> {
  if (facts === undefined) throw new Error("no runs");
  const terminal = await recordedTerminal("claude-v2.1.197-perm_accept-80x24", facts.startedAtMs + 90_000);
  const verification = verificationTerminal(facts.startedAtMs + 300_000);
  return {
    ...buildRun(facts, heroDocument(facts.startedAtMs)),
    issue: heroIssue,
    terminals: { "triage-agent": terminal, verification },
    files: {
      comment: Buffer.from(heroDocument(facts.startedAtMs).comment?.markdown ?? ""),
      recording: Buffer.from(JSON.stringify(terminal.recording)),
    },
  };
}

async function waitingRun(facts: Parameters<typeof buildRun>[0] | undefined): Promise<FakeRun> {
  if (facts === undefined) throw new Error("no runs");
  const terminal = await recordedTerminal("claude-v2.1.197-perm_accept-80x24", facts.startedAtMs + 90_000);
  const untilDialog = 8_000;
  return {
    ...buildRun(facts, waitingDocument()),
    terminals: {
      "triage-agent": {
        recording: {
          ...terminal.recording,
          durationMs: untilDialog,
          frames: terminal.recording.frames.filter(({ t }) => t <= untilDialog),
        },
        states: {
          ...terminal.states,
          states: terminal.states.states.filter(({ tMs }) => tMs <= untilDialog),
        },
      },
    },
    files: {},
  };
}

function batchesOf(runs: readonly FakeRun[]): BatchDocument[] {
  const ids = [...new Set(runs.map(({ document }) => document.run.runId))];
  return ids.map((runId) => {
    const rows = runs.map(({ document }) => document.run).filter((run) => run.runId === runId);
    const number = (status: string): number => rows.filter(({ end }) => end?.status === status).length;
    const live = rows.filter(({ end }) => end === null).length;
    return {
      runId,
      repos: [...new Set(rows.map(({ repo }) => repo))],
      provider: "coder",
      parent: { name: "runner-7/4711/91827", state: live > 0 ? "alive" : "dead" },
      startedAtMs: Math.min(...rows.map(({ startedAtMs }) => startedAtMs)),
      finishedAtMs: live > 0 ? null : Math.max(...rows.map(({ settledAtMs }) => settledAtMs ?? 0)),
      totals: {
        live,
        applied: number("applied"),
        skipped: number("skipped"),
        locked: number("locked"),
        requeued: number("requeued"),
        failed: number("failed"),
      },
      usd: rows.reduce((sum, { usage }) => sum + (usage?.usd ?? 0), 0),
      stranded: [],
      kept: [],
    };
  });
}

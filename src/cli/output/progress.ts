import type { Clock } from "agent-tty/kit";
import { issueKey, plainText, shownText } from "../../github/index.ts";
import type { BatchEvent, BatchObserver, IssueSummary, WatchedPhase } from "../../triage/index.ts";
import { fitText } from "../../layout/index.ts";
import { showByteSize } from "../../notation/index.ts";
import type { DisplayStatuses } from "./display-statuses.ts";
import { formatDuration } from "./format-duration.ts";

interface ActiveRun {
  title: string;
  phase: WatchedPhase;
  detail: string | null;
  startedMs: number;
}

/** The progress of a batch at one moment. A pure function computes it, so that every renderer shows the same. */
export interface ProgressState {
  eligible: number;
  finished: number;
  active: ReadonlyMap<string, ActiveRun>;
  durationsMs: readonly number[];
}

export const emptyProgress: ProgressState = { eligible: 0, finished: 0, active: new Map(), durationsMs: [] };

/** Returns the state of the progress display after one event. Pure. `nowMs` is from a monotonic clock. */
export function advanceProgress(state: ProgressState, event: BatchEvent, nowMs: number): ProgressState {
  switch (event.type) {
    case "selected":
      return { ...state, eligible: event.eligible };
    case "phase": {
      const key = issueKey(event.ref);
      const startedMs = state.active.get(key)?.startedMs ?? nowMs;
      const run = { title: event.title, phase: event.phase, detail: event.detail, startedMs };
      return { ...state, active: new Map([...state.active, [key, run]]) };
    }
    case "issue-finished": {
      const key = issueKey(event.summary);
      const run = state.active.get(key);
      if (run === undefined) return state;
      const active = new Map(state.active);
      active.delete(key);
      const durationsMs = [...state.durationsMs, nowMs - run.startedMs];
      return { ...state, active, finished: state.finished + 1, durationsMs };
    }
    default:
      return state;
  }
}

export interface ProgressView {
  nowMs: number;
  parallelism: number;
  columns: number;
  statuses: DisplayStatuses;
}

/** Returns the lines of the live region on a terminal: one line per running Triage Run, then totals and the batch's ETA. */
export function progressLines(state: ProgressState, view: ProgressView): string[] {
  if (state.eligible === 0) return ["  looking for issues to triage …"];
  const lines = [...state.active].map(([key, run]) => {
    const elapsed = formatDuration(view.nowMs - run.startedMs);
    const detail = run.detail === null ? "" : ` (${plainText(run.detail)})`;
    const status = view.statuses.get(key);
    const shown = status === undefined ? "" : `  ${status.symbol} ${status.displayStatus}`;
    return `  ${key}${shown}  ${run.phase}${detail}  ${elapsed}  ${shownText(run.title)}`;
  });
  lines.push(`  ${totalsLine(state, view)}`);
  return lines.map((line) => fitText(line, view.columns - 1));
}

type EtaView = Pick<ProgressView, "nowMs" | "parallelism">;

/**
 * Returns the line with the totals. It shows no estimate when the estimated time is over, because the remaining runs take longer
 * than the others did.
 */
function totalsLine(state: ProgressState, view: EtaView): string {
  const eta = etaMs(state, view);
  const ending = eta === null || eta === 0 ? "" : `, about ${formatDuration(eta)} left`;
  return `${state.finished} of ${state.eligible} issues done${ending}`;
}

/**
 * Returns the estimated time to the end of the batch, in milliseconds; a running Triage Run counts with what it has left of the
 * mean duration. null until the first Triage Run has finished, because any earlier number would be a guess.
 */
export function etaMs(state: ProgressState, { nowMs, parallelism }: EtaView): number | null {
  if (state.durationsMs.length === 0) return null;
  const mean = state.durationsMs.reduce((sum, duration) => sum + duration, 0) / state.durationsMs.length;
  const left = Math.max(0, state.eligible - state.finished);
  const used = [...state.active.values()].map(({ startedMs }) => Math.min(mean, nowMs - startedMs));
  const work = left * mean - used.reduce((sum, duration) => sum + duration, 0);
  return Math.max(0, work) / Math.max(1, Math.min(parallelism, left));
}

/** Returns the line that stays after an event; null for events that only change the live region. */
export function describeEvent(event: BatchEvent): string | null {
  switch (event.type) {
    case "batch-started":
      return `${event.title} ${event.runId} over ${event.repos.join(", ")} (provider ${event.provider})`;
    case "warning":
      return `warning: ${plainText(warningText(event))}`;
    case "reaped":
      return `reaped the leaked Coder workspace ${event.name}: ${event.reason}`;
    case "kept-for-inspection":
      return `kept for inspection until ${event.until}: the Coder workspace ${event.name} of ${issueKey(event.ref)}`;
    case "selected":
      return `${event.eligible} eligible, ${event.skipped} skipped`;
    case "issue-finished":
      return describeIssue(event.summary, event.title);
    case "workspace-ready": {
      const afterMs = Object.values(event.stages).reduce((sum, ms) => sum + ms, 0);
      if (event.origin === "built") return null;
      return `${issueKey(event.ref)} claimed a prebuilt Coder workspace, ${event.name}: ready after ${formatDuration(afterMs)}`;
    }
    case "pruned":
      return describePruned(event);
    case "stopping":
      return `stopping: ${event.reason}; destroying every Coder workspace (a second signal exits at once)`;
    case "phase":
    case "session-opened":
    case "workspace-created":
    case "checkout-ready":
    case "place-requested":
      return null;
  }
}

/** Returns the message of a warning, with its issue in front unless the message names it. */
export function warningText({ message, ref }: Extract<BatchEvent, { type: "warning" }>): string {
  return ref === undefined || message.includes(issueKey(ref)) ? message : `${issueKey(ref)}: ${message}`;
}

/** Returns the line about removed files; null when there is nothing to report. */
function describePruned(event: Extract<BatchEvent, { type: "pruned" }>): string | null {
  const { removed, failed, freedBytes, leftBytes } = event;
  if (removed === 0 && failed === 0) return null;
  const failures = failed === 0 ? "" : `, ${failed} could not be removed`;
  return `removed ${removed} old entries of the home (${showByteSize(freedBytes)})${failures}; ${showByteSize(leftBytes)} are left`;
}

/** The facts of a Triage Run that a plain line shows after its event. */
export interface PlainRun {
  /** Milliseconds since the Triage Run began. */
  elapsedMs: number;
  /** null: it is not stored, or could not be read. */
  displayStatus: string | null;
}

/**
 * Returns plain lines for logs, one per event. They include phases with elapsed time and display status, and nothing is redrawn
 * (T13).
 */
export function describeEventPlainly(event: BatchEvent, run: PlainRun | null): string | null {
  const line = event.type === "phase" ? phaseLine(event) : describeEvent(event);
  if (line === null || run === null) return line;
  const facts = [formatDuration(run.elapsedMs), ...(run.displayStatus === null ? [] : [run.displayStatus])];
  const [first = "", ...rest] = line.split("\n");
  return [`${first}  [${facts.join(", ")}]`, ...rest].join("\n");
}

function phaseLine(event: Extract<BatchEvent, { type: "phase" }>): string {
  const detail = event.detail === null ? "" : ` (${plainText(event.detail)})`;
  return `${issueKey(event.ref)} ${event.phase}${detail}`;
}

function describeIssue(summary: IssueSummary, title: string): string {
  const policy = summary.policy.length === 0 ? "" : ` (${summary.policy.join(", ")})`;
  const outcome = summary.outcome === null ? summary.reason : `${summary.outcome}${policy}`;
  const line = `${issueKey(summary)} ${summary.status}: ${outcome}  ${shownText(title)}`;
  if (summary.error === null) return line;
  return `${line}\n    ${summary.error.code}: ${plainText(summary.error.message)}\n    what to do: ${summary.error.remedy}`;
}

export interface Progress extends Disposable {
  observe: BatchObserver;
}

export interface ProgressSettings {
  clock: Clock;
  parallelism: number;
  write: (line: string) => void;
}

/** The shortest interval between two reads of display statuses, in milliseconds: each reads every live Triage Run. */
const STATUS_MS = 250;

/** Returns a progress display that prints the totals and the ETA after each issue, because a log is not redrawn. */
export function plainProgress(settings: ProgressSettings & { statuses: () => DisplayStatuses }): Progress {
  let state = emptyProgress;
  let statuses: DisplayStatuses = new Map();
  let readAtMs = Number.NEGATIVE_INFINITY;
  const runOf = (event: BatchEvent, nowMs: number): PlainRun | null => {
    if (event.type !== "phase" && event.type !== "issue-finished") return null;
    const key = issueKey(event.type === "phase" ? event.ref : event.summary);
    const run = state.active.get(key);
    if (run === undefined && event.type === "issue-finished") return null;
    if (event.type === "phase" && nowMs - readAtMs >= STATUS_MS)
      [statuses, readAtMs] = [settings.statuses(), nowMs];
    // The line of a finished Triage Run already shows how it ended.
    const displayStatus = event.type === "phase" ? (statuses.get(key)?.displayStatus ?? null) : null;
    return { elapsedMs: nowMs - (run?.startedMs ?? nowMs), displayStatus };
  };
  return {
    observe: (event) => {
      const nowMs = settings.clock.monotonicMs();
      const run = runOf(event, nowMs);
      state = advanceProgress(state, event, nowMs);
      const line = describeEventPlainly(event, run);
      if (line !== null) settings.write(line);
      if (event.type === "issue-finished" && state.finished > 0)
        settings.write(totalsLine(state, { nowMs, parallelism: settings.parallelism }));
    },
    [Symbol.dispose]: () => undefined,
  };
}

/** Returns the progress display of `--json`, which writes one JSON object per line on stderr. */
export function jsonProgress(clock: Clock, write: (event: object) => void): Progress {
  return {
    observe: (event) => write({ time: new Date(clock.nowMs()).toISOString(), ...event }),
    [Symbol.dispose]: () => undefined,
  };
}

import { systemClock } from "agent-tty/kit";
import { shownText } from "../../github/index.ts";
import { flowItems, hangingLines, wrapText } from "../../layout/index.ts";
import { pullRequestStatus, selectDisplayPullRequest } from "../../runs/index.ts";
import type { RunRow } from "../../store/index.ts";
import { formatDuration } from "./format-duration.ts";
import type { Paint } from "./paint.ts";
import { type Fate, fateOf } from "./run-fate.ts";

/** A Triage Run as `list`, `status` and `show` show it. */
export interface ShownRun {
  row: RunRow;
  isParentDead: boolean;
  /** Grade of the evidence in words; null without a reproduction. */
  evidence: string | null;
  /** The command that plays the recording; null if none was kept. */
  play: string | null;
}

export interface BlockView {
  columns: number;
  paint: Paint;
}

const INDENT = "   ";

/**
 * Returns the lines of a run: title → outcome, then issue, result, evidence, comment, run and recording, on as few lines as the
 * width allows.
 */
export function runBlock({ row, isParentDead, evidence, play }: ShownRun, view: BlockView): string[] {
  const { columns, paint } = view;
  const fate = fateOf({ ...row, isParentDead });
  const { facts } = row;
  const details = [
    row.key,
    paint(fate.tone, fate.word),
    ...(facts.result?.category == null ? [] : [facts.result.category]),
    ...(evidence === null ? [] : [evidence]),
    elapsed(row),
    ...pullRequestItems(facts),
    `run ${facts.runId}`,
    ...(facts.result?.commentUrl == null ? [] : [facts.result.commentUrl]),
    ...(play === null ? [] : [`play: ${play}`]),
  ];
  return [
    ...hangingLines(`${fate.symbol} `, paint("strong", titleOf(row)) + arrow(fate, paint), columns),
    ...flowItems(details, columns - INDENT.length).map((line) => INDENT + line),
    ...failureLines(facts, view),
  ];
}

/**
 * Returns the one line for a run that is watched, stopped or attached to. Once it has settled, the line names its batch, whose name
 * is a time.
 */
export function runLine(row: RunRow): string {
  const fate = fateOf(row);
  const details = [row.key, fate.word, elapsed(row), ...pullRequestItems(row.facts)].join("  ");
  const batch = row.settledAtMs === null ? "" : `  (Triage Batch ${row.facts.runId})`;
  return `${fate.symbol} ${details}  ${titleOf(row)} → ${fate.result}${batch}`;
}

function titleOf({ key, facts }: RunRow): string {
  return shownText(facts.issue?.title ?? key).replaceAll(/\s+/g, " ");
}

function arrow({ tone, result }: Fate, paint: Paint): string {
  return ` → ${paint(tone, shownText(result))}`;
}

/** Returns the duration of the run without its time in the queue, which may be hours in a long batch for a minute of work. */
function elapsed({ settledAtMs, facts }: RunRow): string {
  const endMs = settledAtMs ?? systemClock.nowMs();
  const first = facts.progress.history.find(({ phase }) => phase !== "selected");
  return formatDuration(endMs - (first?.atMs ?? endMs));
}

/** Returns the items of the one pull request that is displayed (O4). */
function pullRequestItems({ pullRequests }: RunRow["facts"]): string[] {
  const shown = selectDisplayPullRequest(pullRequests);
  return shown === null ? [] : [`PR #${shown.number} ${pullRequestStatus(shown) ?? "closed"}`];
}

function failureLines({ progress }: RunRow["facts"], { columns }: BlockView): string[] {
  if (progress.phase !== "settled" || progress.end.status !== "failed") return [];
  const { message, remedy } = progress.end.error;
  return [
    ...wrapText(shownText(message), columns - INDENT.length).map((line) => INDENT + line),
    ...hangingLines(`${INDENT}what to do: `, shownText(remedy), columns),
  ];
}

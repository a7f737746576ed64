import { type Clock, OperationalError } from "agent-tty/kit";
import type { GithubReader, RepositoryName } from "../github/index.ts";
import {
  issuesToAskFor,
  type KeptUnit,
  oldestFirst,
  type RetentionFacts,
  type RetentionLimits,
  type UnitPlace,
} from "./plan-retention.ts";

/** Issues that GitHub is asked for in one pass. */
const MAX_ISSUES_ASKED = 200;
/** Issues asked for, one after the other, before the next ones are chosen by what is known then. */
const ASKED_IN_A_ROW = 20;

export interface AskPorts {
  clock: Clock;
  /** Says which issues are closed; null: nobody can, and what an issue may need stays. */
  reader: Pick<GithubReader, "issue"> | null;
}

export interface AskedIssues {
  /** The states that GitHub reported. An issue whose state it cannot tell is missing. */
  issues: RetentionFacts["issues"];
  /** The place of the last issue that was asked for if a limit ended the pass; null: all issues that matter were asked for. */
  place: UnitPlace | null;
}

/**
 * Asks GitHub for the issues whose state decides something, the one with the oldest files first. A pass begins after the place
 * where the previous one ended, so that issues that stay open do not keep it from the later ones. When the signal aborts, returns
 * what is known by then.
 */
export async function askIssues(
  units: readonly KeptUnit[],
  limits: RetentionLimits,
  { reader, clock }: AskPorts,
  from: UnitPlace | null,
  signal: AbortSignal,
): Promise<AskedIssues> {
  const issues = new Map<string, "open" | "closed">();
  if (reader === null) return { issues, place: from };
  const unclear = new Set<string>();
  let earlier = issuesUpTo(from, units, clock.nowMs());
  let place = from;
  for (;;) {
    const left = MAX_ISSUES_ASKED - issues.size - unclear.size;
    if (left === 0) return { issues, place };
    // An issue that is not asked for now counts as open here.
    const open = [...earlier, ...unclear].map((issue) => [issue, "open"] as const);
    const facts = { units, issues: new Map([...open, ...issues]) };
    const wanted = [...issuesToAskFor(facts, limits, clock.nowMs())].slice(0, Math.min(left, ASKED_IN_A_ROW));
    if (wanted.length === 0 && earlier.size === 0) return { issues, place: null };
    if (wanted.length === 0) earlier = new Set();
    for (const [issue, { changedAtMs, path }] of wanted) {
      const state = await stateOf(issue, reader, signal);
      if (signal.aborted) return { issues, place };
      if (state === null) unclear.add(issue);
      else issues.set(issue, state);
      place = { changedAtMs, path };
    }
  }
}

/** The issues whose oldest unit that may go is not behind this place. */
function issuesUpTo(place: UnitPlace | null, units: readonly KeptUnit[], nowMs: number): Set<string> {
  if (place === null) return new Set();
  const all = issuesToAskFor({ units, issues: new Map() }, { ageMs: 0, sizeBytes: null }, nowMs);
  return new Set([...all].flatMap(([issue, unit]) => (oldestFirst(unit, place) > 0 ? [] : [issue])));
}

async function stateOf(
  key: string,
  reader: Pick<GithubReader, "issue">,
  signal: AbortSignal,
): Promise<"open" | "closed" | null> {
  const [repo, number] = key.split("#");
  try {
    const lookup = await reader.issue({ repo: repo as RepositoryName, number: Number(number) }, signal);
    if (lookup.type === "found") return lookup.issue.state;
    // The notes of a deleted issue are gone with it. A transferred issue may live on elsewhere.
    return lookup.reason === "deleted" ? "closed" : null;
  } catch (error) {
    if (signal.aborted || error instanceof OperationalError) return null;
    throw error;
  }
}

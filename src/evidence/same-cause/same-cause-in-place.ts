import { PRISTINE } from "../pipeline/index.ts";
import type { Claim } from "../claim.ts";
import type { LanguageAdapters } from "../controls/index.ts";
import type { Range, RangeEnd } from "../grade.ts";
import {
  ask,
  type PlaceShell,
  type SearchShell,
  probeCommit,
  type ProbeSettings,
  type ProbeState,
  rangeInPlace,
} from "../range/index.ts";
import type { CauseChange, CauseTie, SameCause, SharedCommit } from "./cause-facts.ts";
import { decideSameCause } from "./decide-same-cause.ts";
import { sharedWrongCall } from "./heard-calls.ts";
import { listenAt } from "./listen-in-place.ts";
import { sharedPart } from "./part-in-place.ts";
import { sharedError } from "./shared-error.ts";

/** One of the two issues: its reproduction, and what is known about its bug. */
export interface CauseSubject {
  readonly claim: Claim;
  /** A commit that shows the bug. */
  readonly bad: string;
  /** null: not known yet. */
  readonly range: Range | null;
}

export interface SameCauseRequest extends Omit<ProbeSettings, "claim"> {
  readonly first: CauseSubject;
  readonly second: CauseSubject;
  readonly adapters: LanguageAdapters;
  /** The time for the whole proof, in milliseconds. */
  readonly budgetMs: number;
}

/** The share of the budget for the search of each unknown range. */
const RANGE_SHARE = 0.25;
const LIMIT_MS = 30_000;
const COMMIT = /^[0-9a-f]{40,64}$/;
const OUT_OF_TIME = "The time for the proof ended.";

/**
 * Returns whether two reproductions have one cause (D5), by running each on the commits that introduced and fixed the other's bug.
 * The place must have the pristine checkout that the pipeline creates. Rejects with WORKSPACE_LOST or the signal's reason.
 */
export async function sameCauseInPlace(request: SameCauseRequest, shell: SearchShell): Promise<SameCause> {
  const endsMs = shell.clock.monotonicMs() + request.budgetMs;
  const hasTime = (): boolean => {
    shell.signal.throwIfAborted();
    return shell.clock.monotonicMs() < endsMs;
  };
  const { first, second } = request;
  const ranges = await rangesOf(request, shell);
  const states = new Map<string, ProbeState>();
  const stateOf = async (claim: Claim, commit: string): Promise<ProbeState> => {
    const key = `${claim === first.claim ? "first" : "second"} ${commit}`;
    const state = states.get(key) ?? (await probeCommit(commit, { ...request, claim }, shell)).type;
    states.set(key, state);
    return state;
  };
  const shared: SharedCommit[] = [];
  const changes: CauseChange[] = [];
  const decide = (tie: CauseTie | null): SameCause => decideSameCause({ changes, shared, tie });
  for (const commit of new Set([first.bad, second.bad])) {
    if (!hasTime()) return outOfTime();
    shared.push({
      commit,
      first: await stateOf(first.claim, commit),
      second: await stateOf(second.claim, commit),
    });
  }
  for (const { kind, commit } of endsOf(ranges)) {
    if (!hasTime()) return outOfTime();
    const sofar = decide(null);
    if (sofar.type === "different") return sofar;
    const before = await parentOf(commit, shell);
    if (before === null) continue;
    const sidesOf = async (claim: Claim): Promise<CauseChange["first"]> => ({
      before: await stateOf(claim, before),
      at: await stateOf(claim, commit),
    });
    changes.push({ kind, commit, first: await sidesOf(first.claim), second: await sidesOf(second.claim) });
  }
  const decided = decide(null);
  if (decided.type !== "undecided" || decided.change === null) return decided;
  const tie = await findTie(decided.change, [first.claim, second.claim], { ...request, hasTime }, shell);
  return decide(tie);
}

function outOfTime(): SameCause {
  return { type: "undecided", change: null, reason: OUT_OF_TIME };
}

/**
 * Returns the ranges at whose ends both scripts run. An unknown range is searched, unless the bad commit lies within the
 * other issue's bad range: then the other's ends suffice, because they are the same if the cause is the same.
 */
async function rangesOf(request: SameCauseRequest, shell: SearchShell): Promise<Range[]> {
  const { first, second } = request;
  const known = [first.range, second.range].filter((range) => range !== null);
  if (known.length === 2) return known;
  const search = ({ claim, bad }: CauseSubject): Promise<Range> =>
    rangeInPlace({ ...request, claim, bad, head: null, budgetMs: request.budgetMs * RANGE_SHARE }, shell);
  const range = known[0] ?? (await search(first));
  const other = first.range === null && known.length === 1 ? first : second;
  return (await isInBadRun(other.bad, range, shell)) ? [range] : [range, await search(other)];
}

async function isInBadRun(
  commit: string,
  { firstBad, firstFixed }: Range,
  shell: PlaceShell,
): Promise<boolean> {
  const holds = async (older: string): Promise<boolean> => {
    const line = `git -C ${PRISTINE} merge-base --is-ancestor ${older} ${commit}`;
    return (await ask([line], shell, LIMIT_MS))?.exitCode === 0;
  };
  const [from, to] = [commitOf(firstBad), commitOf(firstFixed)];
  if (firstBad.type !== "initial" && (from === null || !(await holds(from)))) return false;
  return firstFixed.type === "never" || (to !== null && !(await holds(to)));
}

/** Returns the exact ends of the ranges, each commit once. Fixes come first, because they decide. */
function endsOf(ranges: readonly Range[]): Pick<CauseChange, "kind" | "commit">[] {
  const ends = [
    ...ranges.map(({ firstFixed }) => ({ kind: "first-fixed" as const, commit: commitOf(firstFixed) })),
    ...ranges.map(({ firstBad }) => ({ kind: "first-bad" as const, commit: commitOf(firstBad) })),
  ];
  const known = new Map(ends.map(({ kind, commit }) => [`${kind} ${commit}`, { kind, commit }]));
  return [...known.values()].flatMap(({ kind, commit }) => (commit === null ? [] : [{ kind, commit }]));
}

function commitOf(end: RangeEnd): string | null {
  return end.type === "exact" ? end.at.commit : null;
}

async function parentOf(commit: string, shell: PlaceShell): Promise<string | null> {
  const answer = await ask([`git -C ${PRISTINE} rev-parse --verify --quiet ${commit}^`], shell, LIMIT_MS);
  const found = answer?.stdout.trim() ?? "";
  return COMMIT.test(found) ? found : null;
}

type TieRequest = SameCauseRequest & { hasTime: () => boolean };

/**
 * Returns the first tie, searched for in order of cost: the recorded calls, the error at the end, the part of the change. null:
 * there is none.
 */
async function findTie(
  { kind, commit }: CauseChange,
  [first, second]: readonly [Claim, Claim],
  request: TieRequest,
  shell: PlaceShell,
): Promise<CauseTie | null> {
  const before = await parentOf(commit, shell);
  if (before === null) return null;
  const [bad, good] = kind === "first-fixed" ? [before, commit] : [commit, before];
  const listen = async (claim: Claim) => {
    const settings = { ...request, claim };
    return { bad: await listenAt(bad, settings, shell), good: await listenAt(good, settings, shell) };
  };
  const [ours, theirs] = [await listen(first), await listen(second)];
  const call = sharedWrongCall(callsOf(ours), callsOf(theirs));
  if (call !== null) return { type: "calls", call };
  const error = sharedError(ours.bad.error, theirs.bad.error);
  if (error !== null) return { type: "error", error };
  const lines = await sharedPart({ ...request, first, second, bad, good }, shell);
  return lines === null ? null : { type: "part", lines };
}

type Listened = { bad: Awaited<ReturnType<typeof listenAt>>; good: Awaited<ReturnType<typeof listenAt>> };

function callsOf({ bad, good }: Listened): Parameters<typeof sharedWrongCall>[0] {
  return { bad: bad.calls, good: good.calls };
}

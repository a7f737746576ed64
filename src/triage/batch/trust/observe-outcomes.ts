import {
  type Issue,
  type IssueRef,
  type Person,
  type RepositoryName,
  updatedIssuePages,
} from "../../../github/index.ts";
import {
  factsOfType,
  groupedBy,
  judgedOutcomes,
  type TrustFact,
  type TrustFactOf,
} from "../../../trust/index.ts";
import type { BatchPorts } from "../batch-context.ts";
import type { BatchTrust } from "../batch-trust.ts";
import type { BatchSettings } from "../settings.ts";
import { isIssueGone } from "../failures.ts";
import { factOf } from "./act-fact.ts";
import { findActs, isWithdrawn, repliedAtMs } from "./find-acts.ts";
import { suggestionsOf } from "./native-answer.ts";

const DAY_MS = 24 * 3_600_000;
/** After this long our comment and its reactions are read, and an applied outcome without an objection counts as accepted. */
const OBSERVED_MS = 7 * DAY_MS;
/** A proposal or a withheld outcome without a reaction for this long is no longer observed. */
const FORGOTTEN_MS = 90 * DAY_MS;
/**
 * The maximum number of looks at one repository's outcomes in one batch. A look costs one request, or five at the end of an
 * observation. The other outcomes wait for the next batch.
 */
const MAX_LOOKS = 10;
/** The maximum number of listing pages of 100 issues that one batch reads. The next batch continues where this one ended. */
const MAX_PAGES = 10;

interface ObservationDeps {
  runId: string;
  trust: BatchTrust;
  viewer: Person;
  settings: Pick<BatchSettings, "labels">;
  ports: Pick<BatchPorts, "reader" | "suggestions" | "clock">;
  stop: AbortSignal;
}

/**
 * Observes what people did with earlier outcomes (E3): lists the updated issues, and looks at those that changed or whose
 * observation ends. A listing that is too long for one batch continues in the next. Without outcomes under observation it makes
 * no request. It leaves issues that are `busy` for later. Without changes the listing costs only a 304 response.
 */
export async function observeOutcomes(
  repo: RepositoryName,
  busy: ReadonlySet<number>,
  context: ObservationDeps,
): Promise<void> {
  const { trust, ports, stop } = context;
  const facts = trust.facts(repo);
  const nowMs = ports.clock.nowMs();
  const seen = new Set(facts.map(({ key }) => key));
  const decidedMs = replacements(facts);
  // After another outcome replaced it, an applied outcome can still stand, and people can still react to a comment.
  const cannotChange = (decided: TrustFactOf<"decided">): boolean =>
    decidedMs(decided) !== null &&
    seen.has(replacedKey(decided)) &&
    (!hasLastLook(decided) || seen.has(endKey(decided)));
  const open = judgedOutcomes(facts)
    .filter(({ judgement, decided }) => judgement === "open" && decided.detail.level !== "off")
    .map(({ decided }) => decided)
    .filter(({ atMs }) => nowMs - atMs < FORGOTTEN_MS)
    .filter((decided) => !seen.has(goneKey(decided)) && !cannotChange(decided));
  if (open.every(({ number }) => busy.has(number ?? 0))) return;
  const oldestMs = Math.min(...open.map(({ atMs }) => atMs));
  const { updated, cutAt } = await listUpdated(repo, Math.max(oldestMs, listedMs(facts)), context);
  const left: string[] = [];
  let looks = 0;
  for (const decided of open) {
    const issue = updated.get(decided.number ?? 0);
    const replacedMs = decidedMs(decided);
    const isOver = nowMs - decided.atMs >= OBSERVED_MS && hasLastLook(decided) && !seen.has(endKey(decided));
    // The events before another outcome replaced this one do not change any more.
    const key =
      replacedMs === null ? `looked:${decided.key}:${issue?.updatedAt ?? ""}` : replacedKey(decided);
    const isChanged = issue !== undefined && !seen.has(key);
    if (!isOver && !isChanged) continue;
    if (looks >= MAX_LOOKS || busy.has(decided.number ?? 0)) {
      if (issue !== undefined) left.push(issue.updatedAt);
      continue;
    }
    looks += 1;
    stop.throwIfAborted();
    await lookAt(decided, { issue, isOver, key, replacedMs }, context).catch((error: unknown) => {
      if (!isIssueGone(error)) throw error;
      const place = { repo, number: decided.number, runId: decided.runId, atMs: nowMs };
      trust.record({ type: "looked", key: goneKey(decided), ...place, detail: {} });
    });
  }
  if (cutAt !== null) recordListed(repo, [cutAt, ...left].toSorted()[0] ?? cutAt, context);
}

/**
 * Returns the key of the last look at an outcome whose issue was deleted or transferred. There is nothing to look at any more.
 */
function goneKey({ key }: TrustFactOf<"decided">): string {
  return `looked:${key}:gone`;
}

/** Returns whether an outcome is looked at when its observation ends: it changed the issue, or left a comment. */
function hasLastLook({ detail }: TrustFactOf<"decided">): boolean {
  return detail.level === "apply" || detail.commentId !== null;
}

/** Returns the key of the look at the end of an observation. */
function endKey({ key }: TrustFactOf<"decided">): string {
  return `looked:${key}:end`;
}

/** Returns the key that records a look at an outcome after another one replaced it. */
function replacedKey({ key }: TrustFactOf<"decided">): string {
  return `looked:${key}:replaced`;
}

/**
 * Returns a function that says when the next outcome of the same issue replaced an outcome, in milliseconds since the epoch;
 * null: it is the newest.
 */
function replacements(facts: readonly TrustFact[]): (decided: TrustFactOf<"decided">) => number | null {
  const published = factsOfType(facts, "decided").filter(({ detail }) => detail.level !== "off");
  const byIssue = groupedBy(published, ({ number }) => String(number));
  return ({ number, atMs }) => {
    const later = (byIssue.get(String(number)) ?? []).filter((other) => other.atMs > atMs);
    return later.length === 0 ? null : Math.min(...later.map((other) => other.atMs));
  };
}

/** Returns the update time at which the listing continues, in milliseconds since the epoch. */
function listedMs(facts: readonly TrustFact[]): number {
  return Math.max(0, ...factsOfType(facts, "listed").map(({ detail }) => Date.parse(detail.upTo)));
}

/**
 * Records where a listing was cut off. A listing that was read to its end is not recorded; it is repeated from the same time, and
 * costs a 304 if nothing has changed.
 */
function recordListed(repo: RepositoryName, upTo: string, { trust, ports, runId }: ObservationDeps): void {
  const place = { repo, number: null, runId, atMs: ports.clock.nowMs() };
  trust.record({ type: "listed", key: `listed:${repo}:${upTo}`, ...place, detail: { upTo } });
}

/**
 * Lists the updated issues. `cutAt`: the time of the last update that was listed, if there are more; null: the listing was read
 * to its end.
 */
async function listUpdated(
  repo: RepositoryName,
  sinceMs: number,
  { ports, stop }: ObservationDeps,
): Promise<{ updated: Map<number, Issue>; cutAt: string | null }> {
  const since = `${new Date(sinceMs).toISOString().slice(0, 19)}Z`;
  const updated = new Map<number, Issue>();
  let pages = 0;
  for await (const { issues, upTo, isLast } of updatedIssuePages(ports.reader, repo, since, stop)) {
    for (const issue of issues) updated.set(issue.ref.number, issue);
    pages += 1;
    if (pages === MAX_PAGES) return { updated, cutAt: isLast ? null : upTo };
  }
  return { updated, cutAt: null };
}

async function lookAt(
  decided: TrustFactOf<"decided">,
  {
    issue,
    isOver,
    key,
    replacedMs,
  }: { issue: Issue | undefined; isOver: boolean; key: string; replacedMs: number | null },
  context: ObservationDeps,
): Promise<void> {
  const { ports, stop, settings, viewer, trust } = context;
  const ref = { repo: decided.repo as RepositoryName, number: decided.number ?? 0 };
  const { commentId } = decided.detail;
  const timeline = await ports.reader.timeline(ref, stop);
  // A reaction does not change the issue's update time, so reactions are read only once, at the end.
  const comments = isOver ? await ports.reader.comments(ref, stop) : null;
  const isThere = commentId !== null && comments?.some(({ id }) => id === commentId) === true;
  const reactions = isThere ? await ports.reader.reactions(ref, commentId, stop) : null;
  const facts = {
    decided,
    replacedMs,
    timeline,
    comments,
    reactions,
    suggestions: await suggestionsOf(decided, ref, context),
    issue: issue ?? (await unlisted(ref, context)),
    viewerId: viewer.id,
    labels: settings.labels,
  };
  const place = { repo: ref.repo, number: ref.number, runId: decided.runId };
  const replied = repliedAtMs(facts);
  if (replied !== null)
    trust.record({
      type: "replied",
      key: `replied:${decided.key}`,
      ...place,
      atMs: replied,
      detail: { afterMs: replied - decided.atMs },
    });
  // Record either all acts or none: a judged outcome is not looked at again, so acts after a failure would never be seen.
  const counting: TrustFact[] = [];
  const untold = new Set<number>();
  const acts = findActs(facts);
  for (const act of acts) {
    const fact = await factOf(act, decided, context);
    if (fact !== null) counting.push(fact);
    else if (act.by !== null && (await trust.permission(ref.repo, act.by, stop)) === "unknown")
      untold.add(act.by.id);
  }
  // Overrides first: an outcome that was endorsed and then overridden was never accepted.
  const overrides = factsOfType(counting, "overridden");
  for (const fact of [...overrides, ...factsOfType(counting, "endorsed")]) trust.record(fact);
  if (counting.length > 0) return;
  const nowMs = ports.clock.nowMs();
  const looked = (of: string): void =>
    trust.record({ type: "looked", key: of, ...place, atMs: nowMs, detail: {} });
  looked(key);
  if (!isOver) return;
  // Somebody objected of whom GitHub does not say whether they may.
  const isContested = acts.some(({ type, by }) => type === "overridden" && by !== null && untold.has(by.id));
  const isAccepted = decided.detail.level === "apply" && !isContested && !isWithdrawn(facts);
  // A judged outcome is not looked at again; this key says it of one that nothing judged.
  if (!isAccepted) return looked(endKey(decided));
  const detail = { afterMs: nowMs - decided.atMs };
  trust.record({ type: "stood", key: `stood:${decided.key}`, ...place, atMs: nowMs, detail });
}

/** Reads an issue that the listing did not contain because it had not changed; null when it is gone. */
async function unlisted(ref: IssueRef, { ports, stop }: ObservationDeps): Promise<Issue | null> {
  const lookup = await ports.reader.issue(ref, stop);
  return lookup.type === "found" ? lookup.issue : null;
}

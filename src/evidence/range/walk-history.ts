import { edgesOf } from "./edges.ts";
import { lastSeen } from "./line.ts";
import type { CommitSearchPorts } from "./search-commit.ts";
import type { VersionItem } from "./version-items.ts";
import { listed, shortName, type Walk, walkToEdges, withoutItem } from "./walk.ts";

/**
 * A version `good` that is not counted at a flip beside version `bad`, because the history contradicts the order of the numbers.
 */
interface Contradiction {
  index: number;
  good: string;
  /** A sentence about all such versions, for people. */
  reason: string;
}

/**
 * Walks to both edges along the versions, confirms the bad run, and removes good versions whose flip the history contradicts: a
 * back-ported fix from which the next bad version does not come, and a version with a higher number that precedes the bad one.
 * `notes` names them, as sentences for people.
 */
export async function walkHistory(
  begun: Walk<VersionItem>,
  ports: CommitSearchPorts,
): Promise<{ walk: Walk<VersionItem>; notes: string[] }> {
  const { hasTime } = ports;
  const removed = new Map<string, string[]>();
  let walk = await walkToEdges(begun, { confirm: true, hasTime });
  for (
    let found = await contradiction(walk, ports);
    found !== null;
    found = await contradiction(walk, ports)
  ) {
    removed.set(found.reason, [...(removed.get(found.reason) ?? []), shortName(found.good)]);
    walk = await walkToEdges(withoutItem(walk, found.index), { confirm: true, hasTime });
  }
  const notes = [...removed].map(
    ([reason, names]) => `Free of the bug, but not counted: ${listed(names)}. ${reason}`,
  );
  return { walk, notes };
}

async function contradiction(
  walk: Walk<VersionItem>,
  ports: CommitSearchPorts,
): Promise<Contradiction | null> {
  const { firstBad, firstFixed } = edgesOf(walk.line);
  const older = firstBad.type === "found" ? lastSeen(walk.line, firstBad.index, "good") : null;
  if (firstBad.type === "found" && older !== null) {
    const [good, bad] = [walk.items[older], walk.items[firstBad.index]];
    if (await isBackPort(good, bad, ports))
      return {
        index: older,
        good: good?.name ?? "",
        reason: `${shortName(bad?.name ?? "")} does not descend from them, so it still has the bug.`,
      };
  }
  if (firstFixed.type !== "found") return null;
  const last = lastSeen(walk.line, firstFixed.index, "bad");
  const [good, bad] = [walk.items[firstFixed.index], last === null ? undefined : walk.items[last]];
  if (!(await comesFrom(bad, good, ports))) return null;
  const reason = `In the history, ${shortName(bad?.name ?? "")} comes after them.`;
  return { index: firstFixed.index, good: good?.name ?? "", reason };
}

/** Returns whether the bad version does not descend from the good one, and the commit where they part has the bug. */
async function isBackPort(
  good: VersionItem | undefined,
  bad: VersionItem | undefined,
  { history, run, hasTime }: CommitSearchPorts,
): Promise<boolean> {
  if (good?.commit == null || bad?.commit == null) return false;
  const base = await history.mergeBase(good.commit, bad.commit);
  if (base === null || base === good.commit || !hasTime()) return false;
  return (await run(base)).type === "bad";
}

async function comesFrom(
  newer: VersionItem | undefined,
  older: VersionItem | undefined,
  { history }: CommitSearchPorts,
): Promise<boolean> {
  if (newer?.commit == null || older?.commit == null) return false;
  return (await history.mergeBase(older.commit, newer.commit)) === older.commit;
}

import type { RangeEnd } from "../grade.ts";
import type { ProbeResult } from "../probe.ts";
import type { FoundEnd } from "./range-ends.ts";
import type { CommitSearchPorts } from "./search-commit.ts";
import { shortName } from "./walk.ts";

/** The number of further runs of a version or commit that seems to be free of the bug. */
const AGAIN = 2;

/**
 * Runs the version and the commit without the bug at this end again while there is time, because a bug that shows only sometimes
 * may have been missed. If the version shows the bug, the end is unknown. If only the commit shows it, the end loses its commit,
 * and is unknown if it has no version.
 */
export async function confirmEnd(found: FoundEnd, ports: CommitSearchPorts): Promise<FoundEnd> {
  const { end, notes, what, good } = found;
  if (good.version !== null) {
    const { name, commit, run } = good.version;
    const doubt = await doubtOf(name, commit === null ? run : async () => ports.runAgain(commit), ports);
    if (doubt !== null) return { ...found, end: { type: "unknown", reason: doubt }, notes: [] };
  }
  const { commit } = good;
  if (commit === null || commit === good.version?.commit) return found;
  const doubt = await doubtOf(commit, async () => ports.runAgain(commit), ports);
  if (doubt === null) return found;
  const rest = withoutCommit(end);
  if (rest === null) return { ...found, end: { type: "unknown", reason: doubt } };
  return { ...found, end: rest, notes: [...notes, `${what}: ${doubt}`] };
}

async function doubtOf(
  name: string,
  run: () => Promise<ProbeResult>,
  { hasTime }: CommitSearchPorts,
): Promise<string | null> {
  for (let runs = 0; runs < AGAIN && hasTime(); runs += 1)
    if ((await run()).type === "bad")
      return `${shortName(name)} showed the bug in one run and not in another.`;
  return null;
}

/** Returns the end without its commit; null: the end has no version. */
function withoutCommit(end: RangeEnd): RangeEnd | null {
  switch (end.type) {
    case "exact":
    case "initial":
      return end.at.version === null ? null : { ...end, at: { ...end.at, commit: null } };
    case "interval":
      return end.upTo.version === null ? null : { ...end, upTo: { ...end.upTo, commit: null } };
    case "never":
    case "unknown":
      return end;
  }
}

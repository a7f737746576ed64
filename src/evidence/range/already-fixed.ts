import type { Clock } from "agent-tty/kit";
import type { Range } from "../grade.ts";
import { placeHistory } from "./place-history.ts";
import { probeCommit, type ProbeSettings } from "./place-probe.ts";
import type { PlaceShell } from "./place-shell.ts";
import { rangeInPlace } from "./range-in-place.ts";
import { reportedVersion } from "./reported-version.ts";
import { versionLine } from "./version-line.ts";

/** A bug that shows on the reported version and no longer on the default branch. */
export interface AlreadyFixed {
  /** The reported version. */
  version: string;
  commit: string;
  /** Every run of the script on it showed the bug. */
  runs: number;
  range: Range;
}

export interface FixedRequest extends ProbeSettings {
  /** Texts that may name the reported version: of people first, then of the Triage Agent. */
  texts: readonly string[];
  /** The repository's names; the manifest's name is added to them. */
  productNames: readonly string[];
  /** Commit of the default branch, where the bug did not show. */
  head: string;
  /** On the reported version. */
  runs: number;
  budgetMs: number;
}

/**
 * V5: whether the bug shows in every run on the version that the report names, and the script succeeds on the default
 * branch. null: no version is named or tagged, or a run says something else. Rejects with WORKSPACE_LOST.
 */
export async function alreadyFixed(
  request: FixedRequest,
  shell: PlaceShell & { clock: Clock },
): Promise<AlreadyFixed | null> {
  const reported = await reportedTag(request, shell);
  if (reported === null || reported.commit === request.head) return null;
  const head = await probeCommit(request.head, request, shell);
  if (head.type !== "good") return null;
  for (let run = 1; run <= request.runs; run += 1)
    if ((await probeCommit(reported.commit, request, shell)).type !== "bad") return null;
  const range = await rangeInPlace(
    { ...request, bad: reported.commit, head: { commit: request.head, state: "good" } },
    shell,
  );
  return { ...reported, runs: request.runs, range };
}

async function reportedTag(
  { texts, productNames, claim }: FixedRequest,
  shell: PlaceShell,
): Promise<{ version: string; commit: string } | null> {
  const history = placeHistory(claim.script, shell);
  const tags = await history.tags();
  const packageName = await history.packageName();
  const line = versionLine({ tags: tags.map(({ name }) => name), published: [], packageName });
  const names = packageName === null ? productNames : [...productNames, packageName];
  const reported = reportedVersion({ texts, versions: line.map(({ name }) => name), productNames: names });
  if (reported.type !== "named") return null;
  const tag = line.find(({ name }) => name === reported.version)?.tag;
  const commit = tags.find(({ name }) => name === tag)?.commit;
  return commit === undefined ? null : { version: reported.version, commit };
}

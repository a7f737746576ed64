import { basename, join } from "node:path";
import { type RepositoryName, issueKey } from "../github/index.ts";
import { auditLogPath, readAuditLog } from "../triage/index.ts";
import { parentState } from "../workspaces/index.ts";
import { checkpointsDirectory, reproductionsDirectory, type ProgramHome } from "../home/index.ts";
import { entriesOf } from "./measure.ts";
import type { Hold, KeptUnit } from "./plan-retention.ts";

/** The parts of a home that are still needed, and the reason for each. */
export interface Needs {
  /** Batches that are not over. */
  liveBatches: ReadonlySet<string>;
  /** Batches of which `undo` may still revert a write, or whose audit log cannot be read. */
  undoable: ReadonlySet<string>;
  /** Holds, keyed by the directory of a Triage Run: `<run id>/<owner>__<name>-<n>`. */
  runs: ReadonlyMap<string, readonly Hold[]>;
  /** Issue keys, keyed by the directory of the Triage Run that wrote the issue's published notes. */
  evidence: ReadonlyMap<string, string>;
  liveSessions: ReadonlySet<string>;
}

/** Reads what a home still needs. `runIds`: the run ids that have a directory in this home. */
export async function readNeeds(home: ProgramHome, runIds: readonly string[]): Promise<Needs> {
  const holds = new Map<string, Hold[]>();
  const hold = (runId: string, issue: Issue, why: Hold): void => {
    const key = `${runId}/${directoryName(issue)}`;
    holds.set(key, [...(holds.get(key) ?? []), why]);
  };
  const live = home.store.liveRuns();
  for (const run of live) hold(run.runId, run, "live");
  for (const { issue, document } of await issueFiles(checkpointsDirectory(home.directory))) {
    const kept = await home.checkpoints.read(issue);
    if (kept !== null) hold(kept.runId, document, "checkpoint");
  }
  for (const { issue, document } of await issueFiles(reproductionsDirectory(home.directory))) {
    const stored = await home.reproductions.read(issue).catch(() => null);
    for (const { runId } of stored?.checks ?? []) hold(runId, document, "reproduction");
  }
  const { undoable, evidence } = await publications(home, runIds);
  return {
    liveBatches: await liveBatches(home, runIds),
    undoable,
    runs: holds,
    evidence,
    liveSessions: new Set(live.flatMap(({ sessionId }) => sessionId ?? [])),
  };
}

interface Issue {
  repo: string;
  number: number;
}

/** Must return the same form as `runDirectory`. */
function directoryName({ repo, number }: Issue): string {
  return `${repo.replace("/", "__")}-${number}`;
}

/** `<owner>__<name>`, split at the first `__`: an owner may have an underscore (`mona_acme`), but ends with a letter or a digit. */
const REPOSITORY_FOLDER = /^([^/]+?)__(.+)$/;

/** `<owner>__<name>` and `<n>.json` → the issue. */
export function issueOfFile(folder: string, file: string): { repo: RepositoryName; number: number } | null {
  const repo = REPOSITORY_FOLDER.exec(folder);
  const number = /^(\d{1,15})\.json$/.exec(file);
  return repo === null || number === null
    ? null
    : { repo: `${repo[1]}/${repo[2]}`, number: Number(number[1]) };
}

async function issueFiles(directory: string) {
  const found: { issue: { repo: RepositoryName; number: number }; document: Issue }[] = [];
  for (const folder of await entriesOf(directory)) {
    for (const { name } of await entriesOf(join(directory, folder.name))) {
      const issue = issueOfFile(folder.name, name);
      if (issue !== null) found.push({ issue, document: issue });
    }
  }
  return found;
}

/** Returns the batches that are not finished and whose parent is not proven dead, because it may still be running. */
async function liveBatches({ store }: ProgramHome, runIds: readonly string[]): Promise<Set<string>> {
  const live = new Set<string>();
  for (const runId of runIds) {
    const batch = store.batch(runId);
    if (batch === null || batch.finished !== null) continue;
    if ((await parentState(batch.parent)) !== "dead") live.add(runId);
  }
  return live;
}

/**
 * Finds the latest batch that wrote to each issue. An earlier batch can no longer be undone (`triaged-since`), and its notes are
 * superseded.
 */
async function publications(
  { runsDirectory }: ProgramHome,
  runIds: readonly string[],
): Promise<Pick<Needs, "undoable"> & { evidence: Map<string, string> }> {
  const latest = new Map<string, { runId: string; issue: Issue }>();
  const undoable = new Set<string>();
  for (const runId of runIds.toSorted()) {
    const entries = await readAuditLog(auditLogPath(runsDirectory, runId)).catch(() => null);
    if (entries === null) undoable.add(runId);
    for (const { action, fact, repo, number } of entries ?? [])
      if (action === "publish" && fact.type !== "decided")
        latest.set(`${repo}#${number}`, { runId, issue: { repo, number } });
  }
  const evidence = new Map<string, string>();
  for (const [key, { runId, issue }] of latest) {
    undoable.add(runId);
    evidence.set(`${runId}/${directoryName(issue)}`, key);
  }
  return { undoable, evidence };
}

/** Returns the kind of one entry of a batch's directory, and the needs that hold it. */
export function needsOfEntry(
  runId: string,
  name: string,
  needs: Needs,
): Pick<KeptUnit, "kind" | "holds" | "issue"> {
  const key = `${runId}/${name}`;
  const live: Hold[] = needs.liveBatches.has(runId) ? ["live"] : [];
  const undo: Hold[] = needs.undoable.has(runId) ? ["undo"] : [];
  if (name === basename(auditLogPath("", runId)))
    return { kind: "audit-log", holds: [...live, ...undo], issue: null };
  if (!REPOSITORY_FOLDER.test(name) || !/-\d+$/.test(name))
    return { kind: "batch-file", holds: live, issue: null };
  return {
    kind: "triage-run",
    holds: [...live, ...(needs.runs.get(key) ?? [])],
    issue: needs.evidence.get(key) ?? null,
  };
}

/** Returns the issue of a checkpoint's file as `owner/name#number`; null for files with other names. */
export function checkpointIssue(folder: string, file: string): string | null {
  const issue = issueOfFile(folder, file);
  return issue === null ? null : issueKey(issue);
}

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, systemClock, systemIds } from "agent-tty/kit";
import type { IssueRef } from "../github/index.ts";
import {
  type AuditEntry,
  auditLogPath,
  openReproductionLibrary,
  readAuditLog,
  type ReproductionCheck,
  runDirectory,
} from "../triage/index.ts";
import { reproductionsDirectory, runsDirectory } from "./home-paths.ts";

/** The paths of the evidence of one Triage Run, as far as this home still has it. */
export interface RunEvidence {
  directory: string;
  files: { kind: EvidenceKind; path: string }[];
  audit: { path: string; entries: AuditEntry[]; problem: string | null };
  reproduction: { path: string; title: string; checks: CheckEvidence[] } | null;
}

export type EvidenceKind = (typeof evidenceFiles)[keyof typeof evidenceFiles];
export type CheckEvidence = ReproductionCheck & { recording: string | null };

const evidenceFiles = {
  "issue.json": "issue",
  "recording.cast": "recording",
  "screen.png": "screenshot",
  "outcome.json": "outcome",
  "checkout.patch": "patch",
  "verification.cast": "verification recording",
  "verification.png": "verification screenshot",
  "verification.json": "verification",
  "comment.md": "comment",
} as const;

/** Finds the evidence. Never rejects: unreadable evidence counts as missing or is reported. */
export async function findEvidence(home: string, runId: string, ref: IssueRef): Promise<RunEvidence> {
  const runs = runsDirectory(home);
  const directory = runDirectory(runs, runId, ref);
  const names = await namesIn(directory);
  return {
    directory,
    files: Object.entries(evidenceFiles)
      .filter(([name]) => names.includes(name))
      .map(([name, kind]) => ({ kind, path: join(directory, name) })),
    audit: await auditOf(auditLogPath(runs, runId), ref),
    reproduction: await reproductionOf(home, ref),
  };
}

/** A damaged log is reported, not hidden, because it is evidence, too. */
async function auditOf(path: string, { repo, number }: IssueRef): Promise<RunEvidence["audit"]> {
  try {
    const entries = (await readAuditLog(path)).filter((one) => one.repo === repo && one.number === number);
    return { path, entries, problem: null };
  } catch (error) {
    return { path, entries: [], problem: messageOf(error) };
  }
}

async function reproductionOf(home: string, ref: IssueRef): Promise<RunEvidence["reproduction"]> {
  const library = openReproductionLibrary(reproductionsDirectory(home), systemIds(systemClock));
  const stored = await library.read(ref).catch(() => null);
  if (stored === null) return null;
  const recorded = async (check: ReproductionCheck): Promise<CheckEvidence> => {
    const directory = runDirectory(runsDirectory(home), check.runId, ref);
    const isThere = (await namesIn(directory)).includes("verification.cast");
    return { ...check, recording: isThere ? join(directory, "verification.cast") : null };
  };
  const checks = await Promise.all(stored.checks.map(recorded));
  return { path: library.pathOf(ref), title: stored.title, checks };
}

function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}

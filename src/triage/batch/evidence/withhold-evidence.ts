import { cp, mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { IssueRef } from "../../../github/index.ts";
import { emptySession, type SessionCleaner } from "../../quarantine/index.ts";
import type { BatchContext } from "../batch-context.ts";
import { runDirectory } from "../run-directory.ts";
import type { RunRecord } from "../run-record.ts";

/**
 * S16: takes away all that a Triage Run has left behind of a vulnerability: the files of its directory, what its Sessions
 * showed, its stored reproduction. The home is what artifacts, reports and the board are made of. With
 * `security.keepEvidence: private` a copy without secrets goes to a directory of the operator outside the home first. Rejects when a
 * file cannot be removed: then nothing is published.
 */
export async function withholdEvidence(
  ref: IssueRef,
  record: RunRecord,
  context: Pick<BatchContext, "ports" | "runId" | "settings">,
): Promise<void> {
  const { ports, runId, settings } = context;
  const kept = settings.privateEvidence === null ? null : runDirectory(settings.privateEvidence, runId, ref);
  if (kept !== null) await copyPrivately(record, kept, ports.cleaner);
  for (const session of record.sessions) emptySession(session);
  await rm(record.directory, { recursive: true, force: true });
  await ports.reproductions.remove(ref);
  await ports.checkpoints.remove(ref);
  record.withheld();
}

async function copyPrivately(
  { directory, sessions }: RunRecord,
  to: string,
  cleaner: SessionCleaner,
): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const options = { recursive: true, force: true } as const;
  await cp(directory, to, options).catch(absent);
  for (const session of sessions) {
    const copy = join(to, basename(session));
    await cp(session, copy, options).catch(absent);
    await cleaner.clean(copy).catch(absent);
  }
}

function absent(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Home, sessionLiveness } from "agent-tty";
import type { IssueRef } from "../../../github/index.ts";
import { emptySession, type SessionCleaner } from "../../quarantine/index.ts";
import type { BatchContext } from "../batch-context.ts";
import { runDirectory } from "../run-directory.ts";
import type { RunRecord } from "../run-record.ts";
import { triageSessionName, verificationSessionName } from "../session-names.ts";

/**
 * Removes everything that this Triage Run and earlier ones of the same issue have left of a vulnerability (S16): the files in
 * their directories, what their Sessions showed, the stored reproduction and the checkpoint. Artifacts, reports and the board are
 * made from the files in the home. With `security.keepEvidence: private` it first puts a copy without secrets into a directory of
 * the operator outside the home. Rejects when a file cannot be removed, and then nothing is published.
 */
export async function withholdEvidence(
  ref: IssueRef,
  record: RunRecord,
  context: Pick<BatchContext, "ports" | "runId" | "settings">,
): Promise<void> {
  const { ports, runId, settings } = context;
  const runIds = await runsOf(ref, ports.runsDirectory);
  const sessions = [...new Set([...record.sessions, ...(await endedSessions(ref, ports.sessionHome))])];
  const { privateEvidence } = settings;
  if (privateEvidence !== null) {
    const kept = runDirectory(privateEvidence, runId, ref);
    for (const id of runIds)
      await copy(runDirectory(ports.runsDirectory, id, ref), runDirectory(privateEvidence, id, ref));
    for (const session of sessions) await copySession(session, kept, ports.cleaner);
  }
  for (const session of sessions) emptySession(session);
  for (const id of runIds)
    await rm(runDirectory(ports.runsDirectory, id, ref), { recursive: true, force: true });
  await ports.reproductions.remove(ref);
  await ports.checkpoints.remove(ref);
  record.withheld();
}

/** Returns the ids of the batches that have kept something of the issue. */
async function runsOf(ref: IssueRef, runsDirectory: string): Promise<string[]> {
  const names = (await readdir(runsDirectory).catch(absent)) ?? [];
  return names.filter((name) => existsSync(runDirectory(runsDirectory, name, ref)));
}

/**
 * Returns the directories of the issue's ended Sessions, from all its Triage Runs. An open Session belongs to the present run and
 * is in its record.
 */
async function endedSessions(ref: IssueRef, home: Home): Promise<string[]> {
  const names = new Set<string | null>([triageSessionName(ref), verificationSessionName(ref)]);
  const readings = await home.listManifests();
  return readings.flatMap((reading) => {
    if (reading.type === "unreadable" || !names.has(reading.manifest.name)) return [];
    const { sessionId } = reading.manifest;
    return sessionLiveness(reading.manifest) === "live" ? [] : [home.sessionDirectory(sessionId)];
  });
}

async function copySession(session: string, to: string, cleaner: SessionCleaner): Promise<void> {
  if (!existsSync(session)) return;
  const copied = join(to, basename(session));
  await copy(session, copied);
  await cleaner.clean(copied);
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  await cp(from, to, { recursive: true, force: true }).catch(absent);
}

function absent(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

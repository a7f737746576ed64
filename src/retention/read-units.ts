import { join } from "node:path";
import { sessionLiveness } from "agent-tty";
import { type ProgramHome, runsDirectory } from "../home/index.ts";
import { entriesOf, measure } from "./measure.ts";
import type { KeptUnit } from "./plan-retention.ts";
import { checkpointIssue, type Needs, needsOfEntry, readNeeds } from "./read-needs.ts";

/** How many units are measured at the same time, because a slow disk answers several questions in the time of one. */
const AT_ONCE = 16;

type Found = Omit<KeptUnit, "bytes" | "changedAtMs">;

/**
 * Every unit below the home's directory, measured; where workers share another one, not what is there. Rejects with the signal's
 * reason, or Node's error of a system call.
 */
export async function readUnits(home: ProgramHome, signal: AbortSignal): Promise<KeptUnit[]> {
  const runs = runsDirectory(home.directory);
  const batches = (await entriesOf(runs)).filter((entry) => entry.isDirectory());
  const runIds = batches.map(({ name }) => name);
  const needs = await readNeeds(home, runIds);
  const found = [
    ...(await runUnits(runs, runIds, needs)),
    ...(await sessionUnits(home, needs)),
    ...(await responseUnits(home)),
    ...(await checkpointUnits(home)),
  ];
  const units: KeptUnit[] = [];
  for (let at = 0; at < found.length; at += AT_ONCE) {
    const measuring = found.slice(at, at + AT_ONCE).map(async (unit) => {
      const measured = await measure(join(home.directory, unit.path), signal);
      return measured === null ? [] : [{ ...unit, ...measured }];
    });
    units.push(...(await Promise.all(measuring)).flat());
  }
  return units;
}

async function runUnits(runs: string, runIds: readonly string[], needs: Needs): Promise<Found[]> {
  const units: Found[] = [];
  for (const runId of runIds) {
    for (const { name } of await entriesOf(join(runs, runId)))
      units.push({ path: `runs/${runId}/${name}`, ...needsOfEntry(runId, name, needs) });
  }
  return units;
}

async function sessionUnits({ directory, sessions }: ProgramHome, needs: Needs): Promise<Found[]> {
  const live = new Set(needs.liveSessions);
  for (const reading of await sessions.listManifests())
    if (reading.type === "read" && sessionLiveness(reading.manifest) === "live")
      live.add(reading.manifest.sessionId);
  const entries = await entriesOf(join(directory, "agent-tty/sessions"));
  return entries.map(({ name }) => ({
    path: `agent-tty/sessions/${name}`,
    kind: "session",
    holds: live.has(name) ? ["live"] : [],
    issue: null,
  }));
}

/** Cached responses are needed by nothing: without a response, the next batch asks GitHub again. */
async function responseUnits({ directory }: ProgramHome): Promise<Found[]> {
  const entries = await entriesOf(join(directory, "github-responses"));
  return entries.map(({ name }) => ({
    path: `github-responses/${name}`,
    kind: "github-response",
    holds: [],
    issue: null,
  }));
}

async function checkpointUnits({ directory }: ProgramHome): Promise<Found[]> {
  const units: Found[] = [];
  for (const folder of await entriesOf(join(directory, "checkpoints"))) {
    for (const { name } of await entriesOf(join(directory, "checkpoints", folder.name))) {
      const path = `checkpoints/${folder.name}/${name}`;
      units.push({ path, kind: "checkpoint", holds: [], issue: checkpointIssue(folder.name, name) });
    }
  }
  return units;
}

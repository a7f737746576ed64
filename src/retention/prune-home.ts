import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { sessionLiveness } from "agent-tty";
import { type Ids, OperationalError, startDeadline } from "agent-tty/kit";
import { takeExclusiveLock } from "../store/index.ts";
import type { RetentionErrorCode } from "./plan-retention.ts";
import type { ProgramHome } from "../home/index.ts";
import { applyRetention, type AppliedRetention } from "./apply-retention.ts";
import { askIssues, type AskPorts } from "./ask-issues.ts";
import { type KeptUnit, planRetention, type RetentionLimits, type RetentionPlan } from "./plan-retention.ts";
import { openPrunePlace } from "./prune-place.ts";
import { readUnits } from "./read-units.ts";

export interface PrunePorts extends AskPorts {
  ids: Ids;
}

export interface PruneResult {
  plan: RetentionPlan;
  /** null: it was a dry run. */
  applied: AppliedRetention | null;
}

/** Generous, because what a pass has read is lost with it: a home of 50,000 Triage Runs takes minutes. */
const READING_MS = 30 * 60_000;
/** The time for asking GitHub. The facts that are known at its end decide what is removed. */
const ASKING_MS = 60_000;
/** The next pass continues a removal that was interrupted. */
const REMOVING_MS = 2 * 60_000;

/**
 * Removes from a home what its retention policy no longer keeps. Only one process at a time may prune a home. Rejects with
 * PRUNE_RUNNING while another process prunes it, with the signal's reason, with the store's codes, and with Node's system call
 * errors.
 */
export async function pruneHome(
  home: ProgramHome,
  limits: RetentionLimits,
  ports: PrunePorts,
  request: { isDryRun: boolean },
  signal: AbortSignal,
): Promise<PruneResult> {
  const { clock, ids } = ports;
  const placeFile = openPrunePlace(home.directory, ids);
  using _alone = request.isDryRun ? null : alone(home);
  using reading = startDeadline(clock, "measuring the files of the home", READING_MS, signal);
  const units = await readUnits(home, reading.signal);
  const from = await placeFile.read();
  using asking = startDeadline(clock, "asking GitHub which issues are closed", ASKING_MS, signal);
  const { issues, place } = await askIssues(units, limits, ports, from, asking.signal);
  signal.throwIfAborted();
  const plan = planRetention({ units, issues }, limits, clock.nowMs());
  if (request.isDryRun) return { plan, applied: null };
  const wanted = plan.remove.map(({ unit }) => unit);
  const isNeededNow = (unit: KeptUnit): Promise<boolean> => hasCome(home, unit);
  using removing = startDeadline(clock, "removing what the home no longer needs", REMOVING_MS, signal);
  const applied = await applyRetention(home.directory, wanted, { ids, isNeededNow }, removing.signal);
  await placeFile.write(place);
  return { plan, applied };
}

function alone({ directory }: ProgramHome): Disposable {
  const lock = takeExclusiveLock(join(directory, "prune.lock"));
  if (lock !== null) return lock;
  throw new OperationalError<RetentionErrorCode>({
    code: "PRUNE_RUNNING",
    message: `remove old files of ${directory}: another process is doing this already`,
    remedy: "Nothing to do: every batch removes old files when it ends.",
  });
}

/** Returns whether the unit has become needed since it was examined: a Session may have been started again. */
async function hasCome({ sessions }: ProgramHome, { kind, path }: KeptUnit): Promise<boolean> {
  if (kind !== "session") return false;
  const id = path.slice(path.lastIndexOf("/") + 1);
  const manifest = await sessions.readManifest(id).catch(() => null);
  return manifest !== null && sessionLiveness(manifest) === "live";
}

/** Returns whether the limits set neither an age nor a size. */
export function isRetentionOff(limits: RetentionLimits): boolean {
  return isDeepStrictEqual(limits, { ageMs: null, sizeBytes: null });
}

import { existsSync } from "node:fs";
import { systemClock, systemIds } from "agent-tty/kit";
import { showByteSize } from "../../notation/index.ts";
import {
  chooseSettings,
  defaultRunFlags,
  type ProgramSettings,
  readConfig,
  readEnvironment,
  type RunEnvironment,
} from "../../config/index.ts";
import { connectGithub, githubCredential } from "../wiring/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { openProgramHome, type ProgramHome } from "../../home/index.ts";
import { type Output, proseLines } from "../output/index.ts";
import { countsOf, pruneHome, type PruneResult } from "../../retention/index.ts";
import { stopOnSignals, type StopSignals, untilSignalled } from "../stop-on-signals.ts";

export interface PruneRequest {
  config?: string;
  home?: string;
  dryRun: boolean;
}

/** `afk-triage prune`: prints one JSON document on stdout. Returns 3 when something could not be removed. */
export async function pruneCommand(request: PruneRequest, output: Output): Promise<number> {
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, () => prune(request, output, signals));
}

async function prune(request: PruneRequest, output: Output, signals: StopSignals): Promise<number> {
  const environment = readEnvironment(process.env);
  const flags = { ...defaultRunFlags, home: request.home };
  const config = await readConfig(request.config ?? null, environment);
  const { settings } = chooseSettings(flags, environment, config);
  // A query for old files must not create a home.
  const isThere = existsSync(settings.home);
  if (!isThere) output.answer(proseLines(`there is no home ${settings.home}`, output));
  const { stop } = signals;
  const result = isThere ? await pruned(settings, environment, request.dryRun, stop) : NOTHING;
  const counts = countsOf(result);
  output.answer(answerOf(result, request.dryRun).flatMap((line) => proseLines(line, output)));
  output.document({
    schema: "afk-triage/prune@1",
    dryRun: request.dryRun,
    limits: settings.retention,
    ...counts,
    isOverSize: result.plan.isOverSize,
    entries: entriesOf(result),
    failures: result.applied?.failed ?? [],
    kept: keptByReason(result),
  });
  return signals.exitCode() ?? (counts.failed > 0 ? exitCodes.issueFailed : exitCodes.done);
}

const NOTHING: PruneResult = {
  plan: { remove: [], keep: [], bytesBefore: 0, bytesAfter: 0, isOverSize: false },
  applied: null,
};

async function pruned(
  { home: directory, retention }: Pick<ProgramSettings, "home" | "retention">,
  environment: RunEnvironment,
  isDryRun: boolean,
  stop: AbortSignal,
): Promise<PruneResult> {
  const ports = { clock: systemClock, ids: systemIds(systemClock) };
  using home = await openProgramHome(directory, ports);
  const reader = await readerOf(environment, home);
  return await pruneHome(home, retention, { ...ports, reader }, { isDryRun }, stop);
}

/**
 * Returns the GitHub reader; null without a credential: then no issue is known to be closed. Each request names its repository, by
 * which an App's installation is found.
 */
async function readerOf(environment: RunEnvironment, home: ProgramHome) {
  const { githubToken, appId } = environment;
  if (githubToken === null && appId === null) return null;
  return (await connectGithub(environment, githubCredential(environment, null), home)).reader;
}

/** Returns the removed files (or the files that would be removed), oldest first. */
function entriesOf({ plan, applied }: PruneResult) {
  const removed = applied === null ? null : new Set(applied.removed);
  return plan.remove
    .filter(({ unit }) => removed === null || removed.has(unit))
    .map(({ unit: { path, kind, bytes, changedAtMs }, reason }) => {
      return { path, kind, bytes, changedAt: new Date(changedAtMs).toISOString(), reason };
    });
}

function keptByReason({ plan }: PruneResult) {
  const kept = new Map<string, { kind: string; reason: string; count: number; bytes: number }>();
  for (const { unit, reason } of plan.keep) {
    const key = `${unit.kind} ${reason}`;
    const sum = kept.get(key) ?? { kind: unit.kind, reason, count: 0, bytes: 0 };
    kept.set(key, { ...sum, count: sum.count + 1, bytes: sum.bytes + unit.bytes });
  }
  return [...kept.values()];
}

function answerOf(result: PruneResult, isDryRun: boolean): string[] {
  const { freedBytes, leftBytes } = countsOf(result);
  const over = result.plan.isOverSize
    ? ", above the limit, because nothing of it is known to be unneeded"
    : "";
  return [
    ...entriesOf(result).map(
      ({ path, bytes, reason }) =>
        `${isDryRun ? "would remove" : "removed"} ${path} (${showByteSize(bytes)}, ${reason})`,
    ),
    ...keptByReason(result).map(
      ({ kind, reason, count, bytes }) => `kept ${count} × ${kind} (${showByteSize(bytes)}): ${reason}`,
    ),
    ...(result.applied?.failed ?? []).map(
      ({ path, message }) => `warning: ${path} could not be removed: ${message}`,
    ),
    `${showByteSize(freedBytes)} ${isDryRun ? "would be " : ""}removed, ${showByteSize(leftBytes)} ${isDryRun ? "would be " : ""}left${over}`,
  ];
}

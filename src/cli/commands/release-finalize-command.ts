import { systemClock, systemIds } from "agent-tty/kit";
import { finalizeRelease, type FinalizeSummary } from "../../release/index.ts";
import { readEnvironment } from "../../config/index.ts";
import { releasesDirectory, resolveHome } from "../../home/index.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../output/index.ts";
import { stopOnSignals, untilSignalled } from "../stop-on-signals.ts";
import { takeExclusiveLock } from "../../store/index.ts";
import { currentRepository, type ReleaseOptions } from "./release-repository.ts";

export interface ReleaseFinalizeOptions extends ReleaseOptions {
  version?: string;
  sign?: boolean;
  push?: boolean;
  dryRun?: boolean;
}

/** `afk-triage release finalize`. */
export async function releaseFinalizeCommand(given: ReleaseFinalizeOptions, output: Output): Promise<number> {
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, async () => {
    const summary = await finalizeRelease(
      {
        remote: given.remote,
        version: given.version ?? null,
        sign: given.sign ?? false,
        push: given.push ?? false,
        dryRun: given.dryRun ?? false,
      },
      {
        git: await currentRepository(signals.stop),
        releasesDirectory: releasesDirectory(resolveHome(given.home, readEnvironment(process.env))),
        takeLock: takeExclusiveLock,
        ids: systemIds(systemClock),
        observe: (step) => (step === "locked" ? output.line("fetching the default branch") : undefined),
      },
    );
    output.document(summary);
    output.answer(describe(summary));
    return signals.exitCode() ?? exitCodes.done;
  });
}

function describe({ status, tag, commit, commitsAbove, next }: FinalizeSummary): string[] {
  const above =
    commitsAbove === 0
      ? []
      : [`${commitsAbove} later commits on the default branch are not part of the release`];
  return [`${status}: ${tag} at ${commit.slice(0, 8)}`, ...above, ...next.map((line) => `next: ${line}`)];
}

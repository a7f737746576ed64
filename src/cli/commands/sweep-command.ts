import type { RepositoryName } from "../../github/index.ts";
import { readConfig, readEnvironment, resolveSettings, type RunFlags } from "../../config/index.ts";
import { sweptDirectory } from "../../home/index.ts";
import {
  createSweepWork,
  estimateSweep,
  openSweptLibrary,
  type Query,
  type SweptIssue,
  type SweptLibrary,
} from "../../sweep/index.ts";
import { systemClock, systemIds } from "agent-tty/kit";
import { sweepDocument, sweepPlanTable, sweepTable } from "../output/index.ts";
import { stopOnSignals, untilSignalled } from "../stop-on-signals.ts";
import { type CommandView, runWired } from "./run-batch-command.ts";

export { parseQuery } from "../../sweep/index.ts";

export interface SweepRequest {
  flags: RunFlags;
  query: Query;
  /** Milliseconds; null means any age. */
  olderThanMs: number | null;
  asksTriageAgent: boolean;
}

/**
 * The time limit of the range search, in milliseconds, if none is configured. Without a range search no reported version is run, so
 * that no issue could get the verdict `fixed`.
 */
const SHORTEST_RANGE_MS = 5 * 60_000;

/** `afk-triage sweep`: runs a batch with the work of a sweep. Returns the exit code. */
export async function sweepCommand(request: SweepRequest, view: CommandView): Promise<number> {
  const environment = readEnvironment(process.env);
  const { flags } = request;
  const resolved = resolveSettings(flags, environment, await readConfig(flags.config ?? null, environment));
  const { reproduction } = resolved.batch;
  const rangeMs = reproduction.rangeMs ?? SHORTEST_RANGE_MS;
  const settings = {
    ...resolved,
    batch: { ...resolved.batch, reproduction: { ...reproduction, rangeMs } },
  };
  const clock = systemClock;
  const library = openSweptLibrary(sweptDirectory(settings.home), systemIds(clock));
  const work = createSweepWork(
    {
      ...settings.sweep,
      shard: settings.batch.shard,
      asksTriageAgent: settings.sweep.asksTriageAgent && request.asksTriageAgent,
      query: withAge(request, clock.nowMs()),
    },
    library,
    clock,
  );
  using signals = stopOnSignals(view.output);
  return await untilSignalled(signals, view.output, async () => {
    const { summary, exitCode } = await runWired(settings, environment, signals, view, "new", () => work);
    const swept = await knownOf(settings.batch.repos, library);
    const plan = estimateSweep(work.planned, settings.batch.budget);
    const document = sweepDocument({ summary, planned: work.planned, plan, swept });
    view.output.answer(
      settings.batch.dryRun ? sweepPlanTable(document, view.output) : sweepTable(document, view.output),
    );
    view.output.document(document);
    return exitCode;
  });
}

function withAge({ query, olderThanMs }: SweepRequest, nowMs: number): Query {
  if (olderThanMs === null) return query;
  const to = nowMs - olderThanMs;
  return [...query, { type: "created", from: Number.NEGATIVE_INFINITY, to, not: false }];
}

async function knownOf(repos: readonly RepositoryName[], library: SweptLibrary): Promise<SweptIssue[]> {
  const found: SweptIssue[] = [];
  for (const repo of repos) found.push(...(await library.all(repo)));
  return found;
}

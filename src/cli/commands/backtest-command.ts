import { join } from "node:path";
import { countOf, OperationalError, systemClock, systemIds } from "agent-tty/kit";
import {
  type BacktestErrorCode,
  type BacktestItem,
  type BacktestPlan,
  backtestReport,
  compareBacktests,
  describeBacktest,
  describeComparison,
  describeDrawn,
  makePlan,
  openPastRepository,
  readItems,
  readPlan,
  runBacktest,
  sampleDifference,
  savePlan,
} from "../../backtest/index.ts";
import {
  type ProgramSettings,
  readConfig,
  readEnvironment,
  resolveSettings,
  type RunEnvironment,
  type RunFlags,
} from "../../config/index.ts";
import { backtestsDirectory, openProgramHome, type ProgramHome } from "../../home/index.ts";
import { layTable } from "../../layout/index.ts";
import { correctedCases, factsOfType, openTrustLedger } from "../../trust/index.ts";
import { chooseProgress, displayStatusesOf, exitCodeOfBatch } from "../output/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { stopOnSignals, type StopSignals, untilSignalled } from "../stop-on-signals.ts";
import { wirePorts } from "../wiring/index.ts";
import type { CommandView } from "./run-batch-command.ts";

export interface BacktestRequest {
  flags: RunFlags;
  sample: number;
  seed: number;
  name: string | null;
  /** Two names, or empty. */
  compare: readonly string[];
}

/** The assumed cost of one issue in US dollars until the home has a measured cost. */
const UNKNOWN_USD = 1;

/** `afk-triage backtest`. Returns the exit code. */
export async function backtestCommand(request: BacktestRequest, view: CommandView): Promise<number> {
  const environment = readEnvironment(process.env);
  const config = await readConfig(request.flags.config ?? null, environment);
  const settings = resolveSettings(request.flags, environment, config);
  if (request.compare.length > 0) return compare(request, settings, view);
  using signals = stopOnSignals(view.output);
  return await untilSignalled(signals, view.output, () =>
    backtest(request, settings, environment, signals, view),
  );
}

async function backtest(
  request: BacktestRequest,
  settings: ProgramSettings,
  environment: RunEnvironment,
  signals: StopSignals,
  view: CommandView,
): Promise<number> {
  const { output } = view;
  const [repo] = settings.batch.repos;
  if (repo === undefined) throw new Error("settings without a repository");
  const { seed, sample } = request;
  const name = request.name ?? `${repo.replace("/", "__")}-seed${seed}-${sample}`;
  const directory = join(backtestsDirectory(settings.home), name);
  const known = await knownTo(settings.home, repo);
  // The backtest has its own home, so that it does not mix with the home's runs, reproductions and facts.
  const own: ProgramSettings = {
    ...settings,
    home: directory,
    batch: { ...settings.batch, repos: [repo], dryRun: false },
  };
  using ports = await wirePorts(own, environment, signals.stop);
  const repository = await ports.reader.repository(repo, signals.stop);
  const fetchAll = (): Promise<Uint8Array> =>
    ports.bundle(repository, settings.batch.checkout.url ?? repository.cloneUrl, signals.stop, {
      repo,
      number: 0,
    });
  const past = await openPastRepository(
    join(directory, "past"),
    settings.batch.checkout.ref ?? repository.defaultBranch,
    fetchAll,
    ports,
    signals.stop,
  );
  const say = (line: string): void => output.line(line);
  const before = await readPlan(directory);
  if (before !== null) refuseOther(before, { name, repo, seed, size: sample });
  const plan =
    before ??
    (await makePlan(
      {
        name,
        repo,
        seed,
        size: sample,
        cases: known.cases,
        labels: settings.batch.labels,
        trustedAuthors: ports.markers.trustedAuthors,
      },
      { history: ports.history, reader: ports.reader, past, say },
      signals.stop,
    ));
  if (before === null) await savePlan(directory, plan, ports.ids);
  const estimateUsd = plan.items.length * known.usdPerIssue;
  const { batchUsd } = settings.batch.budget;
  const capUsd = batchUsd ?? (settings.triageAgent.kind === "command" ? null : 2 * estimateUsd);
  say(
    `${countOf(plan.items.length, "issue")}; it may cost $${estimateUsd.toFixed(2)}${capUsd === null ? "" : `, and is stopped at $${capUsd.toFixed(2)}`}`,
  );
  let exitCode: number = exitCodes.done;
  if (!settings.batch.dryRun) {
    using progress = chooseProgress(own.batch, ports.clock, view, () =>
      displayStatusesOf(ports.store, ports.clock),
    );
    const observe: typeof progress.observe = (event) => {
      signals.track(event);
      ports.log.observe(event);
      progress.observe(event);
    };
    const budget = { ...own.batch.budget, batchUsd: capUsd };
    const run = { plan, repository, past, settings: { ...own.batch, budget }, ports: { ...ports, observe } };
    const summary = await runBacktest(run, signals.stop);
    if (summary !== null) exitCode = exitCodeOfBatch(summary);
  }
  show(plan, await readItems(plan, ports), view);
  return signals.exitCode() ?? exitCode;
}

/** Returns what the home contains for a backtest: the cost of an issue, and the outcomes that maintainers corrected (E7). */
async function knownTo(
  directory: string,
  repo: string,
): Promise<{ usdPerIssue: number; cases: ReturnType<typeof correctedCases> }> {
  using home = await openHome(directory);
  const facts = openTrustLedger(home.store).of(repo);
  const paid = factsOfType(facts, "decided").filter(({ detail }) => detail.usd > 0);
  const usdPerIssue =
    paid.length === 0 ? UNKNOWN_USD : paid.reduce((sum, { detail }) => sum + detail.usd, 0) / paid.length;
  return { usdPerIssue, cases: correctedCases(facts) };
}

function openHome(directory: string): Promise<ProgramHome> {
  return openProgramHome(directory, { clock: systemClock, ids: systemIds(systemClock) });
}

function show(plan: BacktestPlan, items: readonly BacktestItem[], { output }: CommandView): void {
  const report = backtestReport(plan, items);
  const { lines, matrix, disagreements } = describeBacktest(report);
  const columns = output.answerColumns;
  const titled = (head: string[], rows: string[][]): string[] =>
    rows.length === 0 ? [] : ["", ...layTable([head, ...rows], { columns, flexible: [head.length - 1] })];
  output.answer([
    ...lines,
    ...(matrix.length === 0
      ? titled(["issue", "theirs", "by", "title"], describeDrawn(items))
      : ["", ...layTable(matrix, { columns, flexible: [] })]),
    ...titled(["issue", "ours", "theirs", "by", "title"], disagreements),
  ]);
  output.document({ ...report, items });
}

async function compare(
  { compare: names }: BacktestRequest,
  { home }: ProgramSettings,
  { output }: CommandView,
): Promise<number> {
  const [first, second] = await Promise.all(names.map((name) => readArm(home, name)));
  if (first === undefined || second === undefined) throw new Error("a comparison needs two names");
  const difference = sampleDifference(first.plan, second.plan);
  if (difference !== null)
    throw new OperationalError<BacktestErrorCode>({
      code: "BACKTEST_DIFFERS",
      message: `compare the backtests ${first.name} and ${second.name}: their samples differ: ${difference}`,
      remedy:
        "Run both with the same --repo, --seed and --sample, and each with a --name and a --config of its own.",
    });
  const comparison = compareBacktests(first, second);
  output.answer(describeComparison(comparison));
  output.document(comparison);
  return exitCodes.done;
}

async function readArm(
  home: string,
  name: string,
): Promise<{ name: string; plan: BacktestPlan; items: BacktestItem[] }> {
  const directory = join(backtestsDirectory(home), name);
  const plan = await readPlan(directory);
  if (plan === null)
    throw new OperationalError<BacktestErrorCode>({
      code: "BACKTEST_EMPTY",
      message: `read the backtest ${name}: ${directory} contains no plan that this version can read`,
      remedy: "Run it first: afk-triage backtest --name NAME.",
    });
  using own = await openHome(directory);
  return { name, plan, items: await readItems(plan, own) };
}

/** Throws BACKTEST_DIFFERS for a second sample under the same name, because the two would be compared as one. */
function refuseOther(
  plan: BacktestPlan,
  wanted: { name: string; repo: string; seed: number; size: number },
): void {
  const { name, repo, seed, size } = wanted;
  if (plan.repo === repo && plan.seed === seed && plan.size === size) return;
  throw new OperationalError<BacktestErrorCode>({
    code: "BACKTEST_DIFFERS",
    message: `continue the backtest ${name}: it belongs to ${plan.repo}, seed ${plan.seed}, ${plan.size} issues, not to ${repo}, seed ${seed}, ${size} issues`,
    remedy: "Choose another --name for the new backtest, or use the same --repo, --seed and --sample.",
  });
}

import { messageOf } from "agent-tty/kit";
import { type BatchSummary, type BatchWork, runBatch, type RunMode } from "../../triage/index.ts";
import {
  chooseSettings,
  type ChosenSetting,
  type ConfigFile,
  readEnvironment,
  type RunEnvironment,
  readConfigFile,
  type ProgramSettings,
  resolveSettings,
  type RunFlags,
  shownSettings,
} from "../../config/index.ts";
import {
  writeActionsFiles,
  exitCodeOfBatch,
  chooseProgress,
  createReadyTimes,
  displayStatusesOf,
  echoLogOf,
  type LastScreens,
  lastScreens,
  type Output,
  dryRunTable,
  proseLines,
  settingLines,
  shownSettingsOf,
  summaryTable,
  warningText,
} from "../output/index.ts";
import { pruneAfterBatch } from "../../retention/index.ts";
import { stopOnSignals, type StopSignals, untilSignalled } from "../stop-on-signals.ts";
import { boundHeapGrowth, type WiredPorts, wirePorts } from "../wiring/index.ts";

export interface CommandView {
  output: Output;
  asJson: boolean;
  /** Prints the log of the batch on stderr, too. */
  isVerbose?: boolean;
}

/** `afk-triage run`: reads the settings, wires the ports, runs the batch and prints the summary. Returns the exit code. */
export async function runBatchCommand(
  flags: RunFlags,
  view: CommandView,
  mode: RunMode = "new",
): Promise<number> {
  const environment = readEnvironment(process.env);
  const file = await readConfigFile(flags.config ?? null, environment);
  const settings = resolveSettings(flags, environment, file.config);
  using signals = stopOnSignals(view.output);
  return await untilSignalled(signals, view.output, async () => {
    const { summary, exitCode, times } = await runWired(settings, environment, signals, view, mode);
    const { dryRun } = settings.batch;
    const table = dryRun ? dryRunTable : summaryTable;
    const config = dryRun
      ? changedSettings(chooseSettings(flags, environment, file.config).chosen, file, view.output)
      : [];
    const ready = times.flatMap((line) => proseLines(line, view.output));
    view.output.answer([...table(summary, view.output), ...ready, ...config]);
    view.output.document(dryRun ? { ...summary, config: shownSettings(settings) } : summary);
    return exitCode;
  });
}

function changedSettings(
  chosen: readonly ChosenSetting[],
  file: ConfigFile,
  { answerColumns }: Output,
): string[] {
  const changed = chosen.filter(({ source }) => source !== "default");
  if (changed.length === 0) return [];
  return [
    "",
    "settings that are not defaults:",
    ...settingLines(shownSettingsOf(changed, file), answerColumns),
  ];
}

/** Runs one batch and shows its progress. It is the part that `run`, `sweep` and `demo` share. */
export async function runWired(
  settings: ProgramSettings,
  environment: RunEnvironment,
  signals: StopSignals,
  view: CommandView,
  mode: RunMode = "new",
  workOf?: WorkOf,
): Promise<{ summary: BatchSummary; exitCode: number; times: string[] }> {
  const warnings: string[] = [];
  const isDryRun = settings.batch.dryRun;
  const shown = { settings, environment, signals, view, mode, warnings, workOf };
  const { summary, screens, times } = await runShown(shown);
  // The summary on stdout must not be lost because a file cannot be written.
  await writeActionsFiles(summary, environment, { warnings, screens, isDryRun }).catch((error: unknown) => {
    view.output.line(`warning: write the job summary and the step outputs: ${messageOf(error)}`);
  });
  return { summary, exitCode: signals.exitCode() ?? exitCodeOfBatch(summary), times };
}

/** Returns the work of a batch that does something other than triage. */
export type WorkOf = (ports: WiredPorts) => BatchWork;

interface ShownBatch {
  settings: ProgramSettings;
  environment: RunEnvironment;
  signals: StopSignals;
  view: CommandView;
  mode: RunMode;
  warnings: string[];
  workOf: WorkOf | undefined;
}

async function runShown(
  shown: ShownBatch,
): Promise<{ summary: BatchSummary; screens: LastScreens; times: string[] }> {
  const { settings, environment, signals, view, mode, warnings, workOf } = shown;
  using ports = await wirePorts(settings, environment, signals.stop, { echoLog: echoLogOf(view) });
  using progress = chooseProgress(settings.batch, ports.clock, view, () =>
    displayStatusesOf(ports.store, ports.clock),
  );
  const readyTimes = createReadyTimes();
  const observe: typeof progress.observe = (event) => {
    readyTimes.observe(event);
    signals.track(event);
    if (event.type === "warning") warnings.push(warningText(event));
    ports.log.observe(event);
    progress.observe(event);
  };
  signals.onStop((reason) => observe({ type: "stopping", reason }));
  for (const message of ports.warnings) observe({ type: "warning", message });
  using _bound = boundHeapGrowth();
  // The result is awaited here, because the ports close when this scope ends.
  const summary = await runBatch(settings.batch, { ...ports, observe }, signals.stop, mode, workOf?.(ports));
  if (!settings.batch.dryRun) await pruneAfterBatch(settings.retention, ports, observe, signals.stop);
  const isAsked = environment.stepSummaryFile !== null;
  const screens = isAsked ? await lastScreens(summary, ports.sessionHome) : new Map();
  return { summary, screens, times: readyTimes.lines() };
}

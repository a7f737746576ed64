import { systemClock, systemIds } from "agent-tty/kit";
import { plainText, redactSecrets } from "../../github/index.ts";
import {
  type BatchEvent,
  createCanaryDetector,
  planReaping,
  reapLeaked,
  withoutRepositories,
} from "../../triage/index.ts";
import { parentIdentity, type ReapPlan } from "../../workspaces/index.ts";
import {
  readConfig,
  readEnvironment,
  defaultRunFlags,
  resolveSettings,
  type RunFlags,
} from "../../config/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { openProgramHome } from "../../home/index.ts";
import type { Output } from "../output/index.ts";
import { stopOnSignals, type StopSignals, untilSignalled } from "../stop-on-signals.ts";
import { createProvider, outputCleaner } from "../wiring/index.ts";

export interface ReapRequest extends Pick<Partial<RunFlags>, "provider" | "config" | "home"> {
  repo: RunFlags["repo"];
  dryRun: boolean;
}

/** `afk-triage reap`. Returns 3 when something is stranded. */
export async function reapCommand(request: ReapRequest, output: Output): Promise<number> {
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, () => reapAll(request, output, signals));
}

async function reapAll(request: ReapRequest, output: Output, signals: StopSignals): Promise<number> {
  const environment = readEnvironment(process.env);
  const settings = resolveSettings(
    { ...defaultRunFlags, ...request },
    environment,
    await readConfig(request.config ?? null, environment),
  );
  const ports = { clock: systemClock, ids: systemIds(systemClock) };
  const parent = await parentIdentity();
  using home = await openProgramHome(settings.home, ports);
  const provider = createProvider(settings, environment, { home, parent, ...ports });
  const report: ReapReport = { reaped: [], kept: [], stranded: [] };
  const observe = (event: BatchEvent): void => {
    if (event.type === "warning") output.line(`warning: ${plainText(event.message)}`);
  };
  const secrets = withoutRepositories(environment.secrets, settings.batch.repos);
  using cleaner = outputCleaner(createCanaryDetector(secrets));
  const reaping = { ...home, ...ports, sessionHome: home.sessions, provider, parent, cleaner, observe };
  const { plan, reaped } = request.dryRun
    ? { plan: await planReaping(settings.batch, reaping, signals.stop), reaped: [] }
    : await reapLeaked(settings.batch, reaping, signals.stop);
  note(plan, report, request.dryRun);
  for (const { workspace, reason, result } of reaped) {
    const entry = { name: workspace.name, id: workspace.id, reason };
    if (result.type === "stranded") {
      const error = redactSecrets(result.error.message);
      report.stranded.push({ ...entry, error });
      output.line(`stranded: ${workspace.name}: ${error} ${result.error.remedy}`);
    } else report.reaped.push(entry);
  }
  output.answer([
    `${report.reaped.length} ${request.dryRun ? "would be " : ""}reaped, ${report.kept.length} kept, ${report.stranded.length} stranded`,
  ]);
  output.document({ schema: "afk-triage/reap@1", dryRun: request.dryRun, ...report });
  return signals.exitCode() ?? (report.stranded.length > 0 ? exitCodes.issueFailed : exitCodes.done);
}

interface ReapReport {
  reaped: { name: string; id: string; reason: string }[];
  kept: { name: string; id: string; reason: string }[];
  stranded: { name: string; id: string; reason: string; error: string }[];
}

function note(plan: ReapPlan, report: ReapReport, dryRun: boolean): void {
  const entry = ({ workspace, reason }: { workspace: { name: string; id: string }; reason: string }) => ({
    name: workspace.name,
    id: workspace.id,
    reason,
  });
  report.kept.push(...plan.keep.map(entry));
  if (dryRun) report.reaped.push(...plan.destroy.map(entry));
}

import { countOf, OperationalError } from "agent-tty/kit";
import pLimit from "p-limit";
import {
  issueKey,
  type IssueRef,
  plainText,
  type RepositoryName,
  type Repository,
} from "../../github/index.ts";
import {
  type BatchObserver,
  type BatchSettings,
  runIdAt,
  type StoredReproduction,
  type VerifyContext,
  verifyStored,
} from "../../triage/index.ts";
import {
  defaultRunFlags,
  readConfig,
  readEnvironment,
  resolveSettings,
  type RunFlags,
} from "../../config/index.ts";
import { type CliErrorCode, exitCodes } from "../exit-codes.ts";
import { describeEvent, type Output, verifiedLines, warningText } from "../output/index.ts";
import { stopOnSignals, type StopSignals, untilSignalled } from "../stop-on-signals.ts";
import { workspaceName } from "../../workspaces/index.ts";
import { type WiredPorts, wirePorts } from "../wiring/index.ts";

export interface VerifyRequest extends Pick<Partial<RunFlags>, "provider" | "config" | "home"> {
  /** null selects every stored reproduction. */
  issue: number | null;
  repo: RunFlags["repo"];
  ref?: string;
  parallelism?: number;
  runDeadline?: number;
}

/**
 * `afk-triage verify`: prints the verdict of every selected stored reproduction. Returns 3 when a reproduction could not be run.
 */
export async function verifyCommand(request: VerifyRequest, output: Output): Promise<number> {
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, () => verifyAll(request, output, signals));
}

async function verifyAll(request: VerifyRequest, output: Output, signals: StopSignals): Promise<number> {
  const environment = readEnvironment(process.env);
  const { issue, ref, runDeadline, ...flags } = request;
  const given = { ...defaultRunFlags, ...flags, runDeadlineMs: runDeadline };
  const settings = resolveSettings(given, environment, await readConfig(request.config ?? null, environment));
  using ports = await wirePorts(settings, environment, signals.stop);
  for (const warning of ports.warnings) output.line(`warning: ${warning}`);
  const stored = await storedReproductions(settings.batch.repos, issue, ports);
  const { checkout } = settings.batch;
  const batch = { ...settings.batch, checkout: ref === undefined ? checkout : { ...checkout, ref } };
  const context = await verifyContext(batch, ports, signals.stop);
  const limit = pLimit(batch.parallelism);
  signals.onStop((reason) => output.line(describeEvent({ type: "stopping", reason }) ?? ""));
  output.line(`verifying ${countOf(stored.length, "stored reproduction")}, ${batch.parallelism} at a time`);
  let done = 0;
  const issues = await Promise.all(
    stored.map((one) =>
      limit(async () => {
        const { number } = one;
        const repo = one.repo as RepositoryName;
        using _held = signals.hold(workspaceName({ repo, number, prefix: batch.workspacePrefix }));
        const observe = warnOf({ repo, number }, output);
        const verified = await verifyStored(one, { ...context, ports: { ...context.ports, observe } });
        done += 1;
        if (stored.length > 1)
          output.line(`${done} of ${stored.length} done: ${issueKey(verified)} ${verified.verdict}`);
        return verified;
      }),
    ),
  );
  output.answer(issues.flatMap((issue) => verifiedLines(issue, output.answerColumns)));
  output.document({ schema: "afk-triage/verify@1", runId: context.runId, ref: batch.checkout.ref, issues });
  const hasFailed = issues.some(({ error }) => error !== null);
  return signals.exitCode() ?? (hasFailed ? exitCodes.issueFailed : exitCodes.done);
}

async function verifyContext(
  settings: BatchSettings,
  ports: WiredPorts,
  stop: AbortSignal,
): Promise<Omit<VerifyContext, "ports"> & { ports: WiredPorts }> {
  const repositories = new Map<RepositoryName, Repository>();
  for (const repo of settings.repos) repositories.set(repo, await ports.reader.repository(repo, stop));
  return {
    runId: runIdAt(ports.clock.nowMs()),
    settings,
    repositories,
    ports,
    stop,
  };
}

/** Returns an observer that prints warnings with their issue, because several reproductions are verified at a time. */
function warnOf(ref: IssueRef, output: Output): BatchObserver {
  return (event) => {
    if (event.type === "warning") output.line(`warning: ${plainText(warningText({ ...event, ref }))}`);
  };
}

async function storedReproductions(
  repos: readonly RepositoryName[],
  issue: number | null,
  { reproductions }: WiredPorts,
): Promise<StoredReproduction[]> {
  const found: StoredReproduction[] = [];
  for (const repo of repos) {
    if (issue === null) found.push(...(await reproductions.all(repo)));
    else {
      const stored = await reproductions.read({ repo, number: issue });
      if (stored !== null) found.push(stored);
    }
  }
  if (found.length > 0) return found;
  const which = issue === null ? "any issue" : `issue ${issue}`;
  throw new OperationalError<CliErrorCode>({
    code: "NO_REPRODUCTION",
    message: `verify ${which} of ${repos.join(", ")}: this home has no stored reproduction of it`,
    remedy:
      "A reproduction is stored when a Triage Batch verifies it; use the home (--home) that ran the batch.",
  });
}

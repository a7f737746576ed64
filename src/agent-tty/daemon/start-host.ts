import { type Clock, messageOf, OperationalError, raceSignal, startDeadline } from "../kit/index.ts";
import type { ProtocolErrorCode } from "../protocol/index.ts";
import { type HostReport, hostReportSchema, type HostSpec } from "./host-spec.ts";
import type { LaunchedHost } from "./launch-host.ts";

const START_PATIENCE_MS = 20_000;
const MAX_REPORT_CHARACTERS = 64 * 1024;

/**
 * Sends a host process its spec. Resolves when the Session accepts commands; from then on the host outlives this process. Rejects
 * with the error of createSession in the host, or with HOST_NOT_STARTED; the host is killed in that case.
 */
export async function startHost(
  spec: HostSpec,
  options: { clock: Clock; launch: () => LaunchedHost },
): Promise<Extract<HostReport, { type: "ready" }>> {
  let host: LaunchedHost | null = null;
  using deadline = startDeadline(options.clock, "starting the Session's host", START_PATIENCE_MS);
  try {
    host = options.launch();
    const report = await raceSignal(reportOf(host, spec), deadline.signal);
    if (report.type === "failed") throw new OperationalError(report);
    host.letGo();
    return report;
  } catch (error) {
    host?.kill();
    throw error instanceof OperationalError ? error : notStarted(messageOf(error), error);
  }
}

async function reportOf({ process: host, failed }: LaunchedHost, spec: HostSpec): Promise<HostReport> {
  let [said, complaint] = ["", ""];
  host.stdin.end(JSON.stringify(spec));
  host.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(0, MAX_REPORT_CHARACTERS);
  });
  const line = (async () => {
    for await (const text of host.stdout.setEncoding("utf8") as AsyncIterable<string>) {
      said += text;
      if (said.includes("\n") || said.length > MAX_REPORT_CHARACTERS) break;
    }
    return said;
  })();
  const text = await Promise.race([line, failed]);
  if (text === "") throw notStarted(`it ended at once and said: ${complaint.trim().slice(0, 2_000)}`);
  return hostReportSchema.parse(JSON.parse(text));
}

function notStarted(seen: string, cause?: unknown): OperationalError<ProtocolErrorCode> {
  return new OperationalError<ProtocolErrorCode>({
    code: "HOST_NOT_STARTED",
    message: `cannot start a host process for the Session: ${seen}`,
    remedy: "check the limits on processes and memory (ulimit -u, ulimit -v), then run `agent-tty doctor`",
    cause,
  });
}

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { type Clock, messageOf, OperationalError, raceSignal, startDeadline } from "../kit/index.ts";
import type { ProtocolErrorCode } from "../protocol/index.ts";
import { type HostReport, hostReportSchema, type HostSpec } from "./host-spec.ts";

const START_PATIENCE_MS = 20_000;
const MAX_REPORT_CHARACTERS = 64 * 1024;

type HostProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Starts a process of its own (`argv` for node) that hosts one Session and outlives this one. Resolves once the Session takes commands.
 * Rejects with what createSession rejected with there, or with HOST_NOT_STARTED; nothing is left behind then.
 */
export async function startHost(
  spec: HostSpec,
  options: { clock: Clock; argv: readonly string[] },
): Promise<Extract<HostReport, { type: "ready" }>> {
  const host = spawn(process.execPath, options.argv, {
    // Its own session: the end of this terminal is not the end of the Session.
    detached: true,
    env: hostEnvironment(process.env),
    stdio: ["pipe", "pipe", "pipe"],
  });
  using deadline = startDeadline(options.clock, "starting the Session's host", START_PATIENCE_MS);
  try {
    const report = await raceSignal(reportOf(host, spec), deadline.signal);
    if (report.type === "failed") throw new OperationalError(report);
    letGo(host);
    return report;
  } catch (error) {
    host.kill("SIGKILL");
    throw error instanceof OperationalError ? error : notStarted(messageOf(error), error);
  }
}

/** Only what a process needs to run: the Session's variables (NODE_OPTIONS, secrets) are the child's alone. */
function hostEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ"];
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

async function reportOf(host: HostProcess, spec: HostSpec): Promise<HostReport> {
  let [said, complaint] = ["", ""];
  host.stdin.on("error", () => undefined);
  host.stdin.end(JSON.stringify(spec));
  host.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(0, MAX_REPORT_CHARACTERS);
  });
  const failed = once(host, "error").then(([error]) => Promise.reject(error as Error));
  failed.catch(() => undefined);
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

function letGo(host: HostProcess): void {
  for (const stream of [host.stdin, host.stdout, host.stderr]) stream.destroy();
  host.unref();
}

function notStarted(seen: string, cause?: unknown): OperationalError<ProtocolErrorCode> {
  return new OperationalError<ProtocolErrorCode>({
    code: "HOST_NOT_STARTED",
    message: `cannot start a host process for the Session: ${seen}`,
    remedy: "check the limits on processes and memory (ulimit -u, ulimit -v), then run `agent-tty doctor`",
    cause,
  });
}

import { type Clock, type Ids, shellQuote } from "agent-tty/kit";
import type { ExecOptions, ExecResult, TerminalCommand } from "../port.ts";
import type { CoderCli } from "./coder-cli.ts";
import type { TerminalOptions } from "./coder-context.ts";
import type { SessionToken } from "./session-token.ts";
import { EXIT_WITH_CODE, type RelaySpec, remoteBash } from "./terminal/index.ts";
import { printable } from "./workspace-error.ts";

/** The target `<uuid>.<agent>`. It cannot reach another Coder workspace that was created later under the same name. */
export interface SshTarget {
  workspaceId: string;
  agentName: string;
}

const DEFAULT_MAX_OUTPUT_BYTES = 10 * 1024 ** 2;
/** The length limit of the trailer, and the limit of the first line and the trailer together, in bytes of the CLI's stdout. */
const TRAILER_BYTES = 128;
const FRAME_BYTES = 2 * TRAILER_BYTES;
/**
 * The number of seconds by which the remote guard fires after the caller's own limit, so that the guard never decides a result.
 */
const GUARD_MARGIN_S = 10;
/** The engine's default size. A remote PTY is 128x128 until the first SIGWINCH (cli/ssh.go). */
const [ROWS, COLS] = [40, 120];

/**
 * Returns the argv of `coder ssh`. The words after `--` are joined with spaces and passed to the remote login shell, so the
 * command is one quoted word. `--wait=no` is set because the caller has seen `lifecycle_state` ready through the API, and any
 * other value could wait without limit.
 */
function sshArguments(
  { workspaceId, agentName }: SshTarget,
  flags: readonly string[],
  command: string,
): string[] {
  return ["ssh", "--disable-autostart", "--wait=no", ...flags, `${workspaceId}.${agentName}`, "--", command];
}

export interface SshTransport {
  cli: CoderCli;
  target: SshTarget;
  clock: Clock;
  ids: Ids;
  token: SessionToken;
  /** How long a connection may take until its first byte, in milliseconds. */
  connectTimeoutMs: number;
}

/** Tries once to get any answer from the Coder workspace. Returns null if it answered, else a description of what was seen. */
export async function probeShell(
  { cli, target, token }: SshTransport,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string | null> {
  const argv = sshArguments(target, [], "printf ready");
  const end = await cli.run(argv, { timeoutMs, maxOutputBytes: 1024 ** 2, signal });
  switch (end.type) {
    case "exited":
      if (end.exitCode === 0 && end.stdout.toString("utf8").endsWith("ready")) return null;
      return `exit ${end.exitCode}: ${withoutToken(end.stderr, token)}`;
    case "timed-out":
    case "silent":
      return `no answer within ${timeoutMs} ms ${withoutToken(end.stderr, token)}`;
    case "output-too-large":
      return "output without end";
    case "not-started":
      return end.message;
  }
}

/**
 * Runs a bash command line without a PTY and resolves with its result. The exit statuses 1 and 255 of `coder ssh` may be the
 * CLI's own, so the remote side reports the command's exit status as the last line of stdout, marked with a nonce: without that
 * line the transport was lost. The remote side also announces itself in the first line, so that a connection that is not
 * established is abandoned long before the time limit.
 */
export async function sshExec(
  transport: SshTransport,
  commandLine: string,
  options: ExecOptions,
): Promise<ExecResult> {
  const { token } = transport;
  const sentWith = token.current();
  const result = await execOnce(transport, commandLine, options);
  // The CLI was refused before it connected, so the command has not run.
  const isRefused = result.type === "transport-lost" && SIGNED_OUT.test(result.message);
  if (!isRefused || !(await token.renew(sentWith, options.signal))) return result;
  return execOnce(transport, commandLine, options);
}

/** The CLI's message for 401 (cli/root.go). */
const SIGNED_OUT = /signed out or your session has expired/;

async function execOnce(
  transport: SshTransport,
  commandLine: string,
  options: ExecOptions,
): Promise<ExecResult> {
  const { cli, target, ids, token } = transport;
  const nonce = `afk-${ids.hex(12)}`;
  const limitBytes = options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
  const end = await cli.run(
    sshArguments(target, [], execCommand(transport, commandLine, nonce, options.timeoutMs)),
    {
      timeoutMs: options.timeoutMs,
      firstByteTimeoutMs: transport.connectTimeoutMs,
      maxOutputBytes: limitBytes + FRAME_BYTES,
      ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    },
  );
  switch (end.type) {
    case "timed-out":
      return end;
    case "silent":
      return {
        type: "transport-lost",
        message: `coder ssh did not connect within ${transport.connectTimeoutMs} ms: ${withoutToken(end.stderr, token)}`,
      };
    case "output-too-large":
      return { type: "output-too-large", limitBytes };
    case "not-started":
      return { type: "transport-lost", message: `the Coder CLI could not be started: ${end.message}` };
    case "exited": {
      const report = splitReport(end.stdout, nonce);
      if (report === null)
        return {
          type: "transport-lost",
          message: `coder ssh ended (exit ${end.exitCode ?? "by a signal"}) without the command's own report: ${withoutToken(end.stderr, token)}`,
        };
      if (report.isGuarded) guarded.add(transport);
      if (Math.max(report.stdout.byteLength, Buffer.byteLength(end.stderr)) > limitBytes)
        return { type: "output-too-large", limitBytes };
      return { type: "exited", exitCode: report.exitCode, stdout: report.stdout, stderr: end.stderr };
    }
  }
}

/** The connections to Coder workspaces that have a `timeout` with `-k`, as an earlier command there has found. */
const guarded = new WeakSet<SshTransport>();

/**
 * Returns the remote command line. A process without a PTY survives the loss of its connection, so `timeout`, if it exists, ends
 * the commands that were abandoned.
 */
function execCommand(transport: SshTransport, commandLine: string, nonce: string, timeoutMs: number): string {
  const guardSeconds = Math.ceil(timeoutMs / 1000) + GUARD_MARGIN_S;
  const command = `bash --norc -c ${shellQuote(commandLine)}`;
  const guardedCommand = `timeout -k 5 ${guardSeconds} ${command}`;
  const run = guarded.has(transport)
    ? `guard=; ${guardedCommand}`
    : `if timeout -k 5 5 true 2>/dev/null; then guard='${GUARDED}'; ${guardedCommand}; else guard=; ${command}; fi`;
  return remoteBash(
    `printf '%s\\n' ${nonce}; ${run}; code=$?; printf '\\n%s %s%s\\n' ${nonce} "$code" "$guard"; exit "$code"`,
  );
}

/** The end of a report that says that `timeout` works. */
const GUARDED = " guarded";

/**
 * Returns the command's output without the report, or null if there is no report. Drops the output that a login shell's start
 * files print before our first line.
 */
function splitReport(
  printed: Buffer,
  nonce: string,
): { exitCode: number; stdout: Buffer; isGuarded: boolean } | null {
  const begin = `${nonce}\n`;
  const beginAt = printed.indexOf(begin);
  if (beginAt === -1) return null;
  const stdout = printed.subarray(beginAt + begin.length);
  const at = stdout.lastIndexOf(`\n${nonce} `);
  if (at === -1) return null;
  const line = /^\n\S+ (\d{1,3})( guarded)?\n/.exec(
    stdout.subarray(at, at + TRAILER_BYTES).toString("latin1"),
  );
  if (line === null) return null;
  // Output that a background process of the command prints later counts like any other output.
  const later = stdout.subarray(at + line[0].length);
  const before = stdout.subarray(0, at);
  const stdoutOfCommand = later.length === 0 ? before : Buffer.concat([before, later]);
  return { exitCode: Number(line[1]), stdout: stdoutOfCommand, isGuarded: line[2] !== undefined };
}

/**
 * Returns the command of a terminal. `env` contains the session token, because the CLI reads it there; argv never contains it.
 */
export function sshTerminal(
  { cli, target }: SshTransport,
  directory: string,
  rcFile: string,
): TerminalCommand {
  const script =
    `stty rows ${ROWS} cols ${COLS} 2>/dev/null; cd ${shellQuote(directory)} && ` +
    `{ bash --noediting --rcfile ${shellQuote(rcFile)} -i; code=$?; ${EXIT_WITH_CODE}; }`;
  return {
    command: [cli.program, ...sshArguments(target, ["-t"], remoteBash(script))],
    env: cli.environment(),
    cwd: cli.directory(),
  };
}

/**
 * Returns the command of a held terminal, which survives lost connections (T12): the same shell, in a tmux of the Coder
 * workspace, over as many connections as necessary.
 */
export function heldTerminal(
  { cli, target, ids, token }: SshTransport,
  directory: string,
  rcFile: string,
  { relay, limits }: TerminalOptions & { relay: readonly [string, ...string[]] },
): TerminalCommand {
  const id = ids.hex(8);
  const ssh = sshArguments(target, [], "").slice(0, -1);
  const spec: RelaySpec = {
    ssh: [cli.program, ...ssh],
    workspaceId: target.workspaceId,
    remote: {
      name: `afk-${id}`,
      stateDirectory: `${directory}/terminals/${id}`,
      directory,
      rcFile,
      nonce: ids.hex(12),
    },
    limits,
    tokenFile: token.file(),
  };
  return { command: [...relay, JSON.stringify(spec)], env: cli.environment(), cwd: cli.directory() };
}

function withoutToken(stderr: string, token: SessionToken): string {
  return printable(token.redact(stderr), 300);
}

import { mkdirSync } from "node:fs";
import type { Clock, Exchange } from "agent-tty/kit";
import { type ProcessEnd, type ProcessRequest, runBounded } from "../bounded-process.ts";
import type { SessionToken } from "./session-token.ts";
import type { CoderTimings } from "./timings.ts";
import { MINIMUM_VERSION, isRecentEnough, parseVersion } from "./version.ts";
import { printable, workspaceError } from "./workspace-error.ts";

export interface CoderCli {
  readonly program: string;
  /** The complete environment of every start. It contains the session token. */
  environment(): Record<string, string>;
  /**
   * The directory of the CLI's configuration, home and working directory, with mode 0700. The person's own login is never read or
   * changed.
   */
  directory(): string;
  run(
    argv: readonly string[],
    limits: Pick<ProcessRequest, "stdin" | "timeoutMs" | "firstByteTimeoutMs" | "maxOutputBytes" | "signal">,
  ): Promise<ProcessEnd>;
}

/**
 * Variables that contain paths of certificates of a private authority. They are not secret, and the CLI cannot connect without
 * them.
 */
const PASSED_ON = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/**
 * Creates the `coder` program with its own configuration directory and an environment that contains its token and little else.
 */
export function createCoderCli(options: {
  url: string;
  token: SessionToken;
  binary: string;
  /** Created when first needed. It holds nothing secret and may be shared by parents, so it is not removed. */
  directory: string;
  graceMs: number;
  clock: Clock;
  /** The environment of this process; only PATH and the certificate paths are taken from it. */
  inherited: NodeJS.ProcessEnv;
  onExchange: (exchange: Exchange) => void;
}): CoderCli {
  const privateDirectory = (): string => {
    mkdirSync(options.directory, { recursive: true, mode: 0o700 });
    return options.directory;
  };
  const environment = (): Record<string, string> => ({
    PATH: options.inherited["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    ...Object.fromEntries(
      PASSED_ON.flatMap((name) => {
        const value = options.inherited[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    HOME: privateDirectory(),
    CODER_URL: options.url,
    CODER_SESSION_TOKEN: options.token.current(),
    CODER_CONFIG_DIR: privateDirectory(),
    CODER_NO_VERSION_WARNING: "true",
    CODER_NO_FEATURE_WARNING: "true",
    CODER_SSH_DISABLE_AUTOSTART: "true",
    CODER_DISABLE_NETWORK_TELEMETRY: "true",
  });
  return {
    program: options.binary,
    environment,
    directory: privateDirectory,
    run: async (argv, limits) => {
      const startedMs = options.clock.monotonicMs();
      const end = await runBounded(
        {
          command: [options.binary, ...argv],
          cwd: privateDirectory(),
          env: environment(),
          terminationGraceMs: options.graceMs,
          ...limits,
        },
        options.clock,
      );
      options.onExchange({
        system: "coder",
        operation: `coder ${argv[0]}`,
        durationMs: Math.round(options.clock.monotonicMs() - startedMs),
        status: end.type === "exited" ? end.exitCode : null,
        outcome: end.type,
      });
      return end;
    },
  };
}

/**
 * Returns the version of the `coder` executable. Rejects if the executable is missing, hangs, is another program, or is too old.
 */
export async function checkCliVersion(
  cli: CoderCli,
  timings: CoderTimings,
  signal: AbortSignal,
): Promise<string> {
  const limits = { timeoutMs: timings.cliTimeoutMs, maxOutputBytes: 1024 ** 2, signal };
  const end = await cli.run(["version", "-o", "json"], limits);
  const version = end.type === "exited" ? versionIn(end.stdout.toString("utf8")) : null;
  if (version === null) throw unusable(cli.program, end, timings.cliTimeoutMs);
  if (!isRecentEnough(version))
    throw workspaceError({
      code: "CODER_CLI_TOO_OLD",
      message: `${cli.program} is Coder ${version}; its \`coder ssh\` loses exit statuses and the end of input`,
      remedy: `Install the Coder CLI ${MINIMUM_VERSION} or later, preferably from the deployment itself (\`curl -L $CODER_URL/install.sh | sh\`).`,
    });
  return version;
}

function versionIn(stdout: string): string | null {
  try {
    const parsed = JSON.parse(stdout) as { version?: unknown };
    return typeof parsed.version === "string" && parseVersion(parsed.version) !== null
      ? parsed.version
      : null;
  } catch {
    return null;
  }
}

function unusable(program: string, end: ProcessEnd, timeoutMs: number) {
  const remedy = "Install the Coder CLI, or point AFK_TRIAGE_CODER_BIN at it.";
  const failure = (message: string) => workspaceError({ code: "CODER_CLI_MISSING", message, remedy });
  switch (end.type) {
    case "not-started":
      return failure(`Tried to start the Coder CLI ${program}: ${printable(end.message)}`);
    case "timed-out":
    case "silent":
      return failure(`${program} version -o json did not answer within ${timeoutMs} ms`);
    case "output-too-large":
      return failure(`${program} version -o json printed without end`);
    case "exited":
      return failure(
        `${program} version -o json is not what the Coder CLI prints (exit ${end.exitCode}): ` +
          printable(end.stderr || end.stdout.toString("utf8"), 300),
      );
  }
}

import { execFile } from "node:child_process";
import { userInfo } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { messageOf, OperationalError, shellQuote } from "agent-tty/kit";
import type { WorkspaceErrorCode } from "../port.ts";

type Argv = [string, ...string[]];

/** How the processes of a local Coder workspace are isolated from those of this machine. */
export type Isolation =
  /** They have their own pid namespace: they see only each other, and all end when the first of them ends. */
  { type: "pid-namespace"; unshare: Argv } | { type: "process-group"; reason: string };

const NAMESPACE = ["--pid", "--fork", "--mount-proc", "--kill-child"];
/**
 * Root needs no user namespace. Otherwise the uid is kept if util-linux supports it, because Claude Code refuses some modes as
 * uid 0.
 */
const CANDIDATES: readonly Argv[] = [
  ["unshare", ...NAMESPACE],
  ["unshare", "--user", "--map-current-user", ...NAMESPACE],
  ["unshare", "--user", "--map-root-user", ...NAMESPACE],
];

/**
 * Resolves with the isolation that this machine allows. It is found by trying it, because containers and hardened kernels refuse
 * it in many ways. `--norc`: see `confined`.
 */
export async function probeIsolation(): Promise<Isolation> {
  let reason = "";
  for (const unshare of CANDIDATES) {
    const [program, ...argv] = unshare;
    const env = { PATH: insidePath(), LC_ALL: "C" };
    try {
      const look = ["bash", "--norc", "-c", "[ -d /proc/1 ]"];
      await promisify(execFile)(program, [...argv, ...look], { env, timeout: 10_000 });
      return { type: "pid-namespace", unshare };
    } catch (error) {
      reason = ((error as { stderr?: string }).stderr ?? "").trim() || `${program} cannot be run`;
    }
  }
  return { type: "process-group", reason };
}

/** Resolves if bash starts. Rejects with LOCAL_PROVIDER_UNAVAILABLE if it does not start within 10 seconds. */
export async function requireBash(): Promise<void> {
  const env = { PATH: insidePath(), LC_ALL: "C" };
  await promisify(execFile)("bash", ["--norc", "-c", "exit 0"], { env, timeout: 10_000 }).catch(
    (error: unknown) => {
      throw new OperationalError<WorkspaceErrorCode>({
        code: "LOCAL_PROVIDER_UNAVAILABLE",
        message: `local Coder workspaces run bash, but it could not be started: ${messageOf(error)}`,
        remedy: "Install bash and put it on PATH, or use --provider coder.",
        cause: error,
      });
    },
  );
}

/**
 * Returns the argv that runs `command` under limits on processes, files and time (S11), with the available isolation. It exits
 * with the command's exit code. Because Node makes stdin a socket, bash would take it for a remote login and read `~/.bashrc`.
 * Code under triage may have written that file, and files of its making must not configure a run (S12); hence `--norc`.
 */
export function confined(isolation: Isolation, command: readonly string[]): Argv {
  return isolation.type === "process-group"
    ? bash(`${limits()}; exec "$@"`, "afk-triage", command)
    : inNamespace(isolation, '"$@"', "afk-triage", command);
}

/**
 * Returns the same as `confined` for a command line of bash. The bash that sets the limits runs it, because each start takes
 * milliseconds.
 */
export function confinedShell(isolation: Isolation, commandLine: string): Argv {
  const run = 'eval "shift; $1"';
  return isolation.type === "process-group"
    ? bash(`${limits()}; ${run}`, "bash", [commandLine])
    : inNamespace(isolation, `( ${run} )`, "bash", [commandLine]);
}

function inNamespace(
  { unshare: [unshare, ...options] }: Extract<Isolation, { type: "pid-namespace" }>,
  run: string,
  name: string,
  argv: readonly string[],
): Argv {
  // Our own process 1 reaps orphans, and what it runs is not subject to the kernel's special treatment of signals to process 1.
  const inside = bash(`${fixedLimits()}; ${run}; exit "$?"`, name, argv);
  const command: Argv = [unshare, ...options, ...inside];
  // The user's processes can be counted only outside the namespace; root has no limit.
  return isRoot() ? command : bash(`${processLimit()}; exec "$@"`, "afk-triage", command);
}

/** Returns the argv of bash for a script. `name`: how bash calls itself in its messages. */
function bash(script: string, name: string, argv: readonly string[]): Argv {
  return ["bash", "--norc", "-c", script, name, ...argv];
}

/**
 * Returns the complete environment inside. No secret of the parent enters it (S8): nothing is inherited except PATH, which names
 * programs, and the paths of certificates. git and npm read no configuration of this machine, which may contain credentials.
 */
export function insideEnvironment(directory: string, marker: string, term: string): Record<string, string> {
  const user = userName();
  const [markerName = "", markerValue = ""] = marker.split("=");
  return {
    PATH: insidePath(),
    HOME: join(directory, "home"),
    USER: user,
    LOGNAME: user,
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    TERM: term,
    TMPDIR: join(directory, "tmp"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    NPM_CONFIG_CACHE: join(directory, "home", ".npm"),
    NPM_CONFIG_GLOBALCONFIG: join(directory, "home", ".npmrc-global"),
    [markerName]: markerValue,
    ...certificatePaths(process.env),
  };
}

/**
 * Returns the paths of certificates. Behind a company's certificate authority nothing can be installed without them; they are
 * paths, not secrets.
 */
function certificatePaths(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function limits(): string {
  return isRoot() ? fixedLimits() : `${fixedLimits()}; ${processLimit()}`;
}

/**
 * Returns the limits as bash commands. Sizes are in 1024-byte blocks, times in CPU seconds. Virtual memory has no limit, because
 * node reserves far more than it uses. A hard limit that is already lower stays unchanged.
 */
function fixedLimits(): string {
  const fixed = ["ulimit -c 0", "ulimit -f 1048576", "ulimit -n 1024", "ulimit -t 900"];
  return fixed.map((limit) => `${limit} 2>/dev/null`).join("; ");
}

/**
 * Returns the limit of processes. It counts all threads of the user, so it is set above the number that already run; it does not
 * apply to root. On Linux `ps` prints the number of threads of each process; `ps -L` would take twice as long.
 */
function processLimit(): string {
  const column = process.platform === "linux" ? "nlwp=" : "pid=";
  const sum = process.platform === "linux" ? "one" : "1";
  return `running=0; while read -r one; do running=$((running + ${sum})); done < <(ps -U ${shellQuote(userName())} -o ${column} 2>/dev/null); ulimit -u "$((running + 512))" 2>/dev/null`;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Returns the parent's PATH without relative entries and without the project's own tools that npm put in front. */
function insidePath(): string {
  const inherited = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !/\/node_modules(\/|$)/.test(entry));
  return [...new Set([...inherited, "/usr/local/bin", "/usr/bin", "/bin"])].join(delimiter);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The uid has no passwd entry, which is usual in containers.
    return String(process.getuid?.() ?? "nobody");
  }
}

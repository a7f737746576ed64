import { OperationalError } from "agent-tty/kit";
import { execa } from "execa";
import { plainText, redactSecrets } from "../../github/index.ts";
import type { ReleaseErrorCode } from "../release-error.ts";

const TIMEOUT_MS = 5 * 60_000;
/** The exit code of a git that could not be started, or was ended by its time limit. */
const NOT_ENDED = -1;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

export interface GitPorts {
  /** The whole environment of git, so that the user's own identity, keys and credential helpers work. */
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  /** Default: git as a child of this process. */
  start?: StartGit;
}

/** Runs git to its end. The answer also says whether git could not be started or was stopped. */
export type StartGit = (
  args: readonly string[],
  options: { env: GitPorts["env"]; input: string | null; signal: AbortSignal },
) => Promise<RawAnswer>;

export interface GitAnswer {
  exitCode: number;
  stdout: string;
  stderr: string;
}

interface RawAnswer extends Omit<GitAnswer, "stdout"> {
  stdout: Buffer;
}

export interface Git {
  readonly directory: string;
  /** Returns git's output, without the last line end. Rejects with RELEASE_GIT_FAILED. */
  text(args: readonly string[], input?: string): Promise<string>;
  /** Returns git's output, byte for byte. Rejects with RELEASE_GIT_FAILED. */
  bytes(args: readonly string[], input: string): Promise<Buffer>;
  /** Returns git's answer, for commands whose failure is an expected answer. */
  ask(args: readonly string[]): Promise<GitAnswer>;
  at(directory: string): Git;
  /** Returns the same for cleanup, which has to run even after a stop. */
  unstoppable(): Git;
}

/** Returns git in a directory, without prompts, in English, and without the paths in GIT_* variables of the environment. */
export function gitIn(directory: string, ports: GitPorts): Git {
  const { signal, start = startGit } = ports;
  // A person cannot type a password here, and git's messages are compared in English.
  const env = { ...withoutGitPlaces(ports.env), GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
  const run = async (args: readonly string[], input: string | null = null): Promise<RawAnswer> => {
    const answer = await start(["-C", directory, ...args], { env, input, signal });
    signal.throwIfAborted();
    return answer;
  };
  const bytes = async (args: readonly string[], input?: string): Promise<Buffer> => {
    const answer = await run(args, input);
    if (answer.exitCode === 0) return answer.stdout;
    throw gitFailed(args, answer);
  };
  return {
    directory,
    at: (other) => gitIn(other, ports),
    unstoppable: () => gitIn(directory, { ...ports, signal: new AbortController().signal }),
    bytes,
    text: async (args, input) => textOf(await bytes(args, input)),
    ask: async (args) => {
      const answer = await run(args);
      return { ...answer, stdout: textOf(answer.stdout) };
    },
  };
}

async function startGit(...[args, { env, input, signal }]: Parameters<StartGit>): Promise<RawAnswer> {
  const result = await execa("git", args, {
    env,
    extendEnv: false,
    reject: false,
    encoding: "buffer",
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
    cancelSignal: signal,
    ...(input === null ? { stdin: "ignore" } : { input }),
  });
  const stderr = result.exitCode === undefined ? result.shortMessage : textOf(result.stderr);
  return { exitCode: result.exitCode ?? NOT_ENDED, stdout: Buffer.from(result.stdout), stderr: stderr ?? "" };
}

/** Returns the error of a failed git command, with the end of its stderr, from which secrets are removed. */
export function gitFailed(
  args: readonly string[],
  { exitCode, stderr }: Pick<GitAnswer, "exitCode" | "stderr">,
): OperationalError<ReleaseErrorCode> {
  const seen = redactSecrets(plainText(stderr)).trim().slice(-2_000);
  const hasEnded = exitCode !== NOT_ENDED;
  return new OperationalError({
    code: "RELEASE_GIT_FAILED",
    message: `git ${args.join(" ")}: ${hasEnded ? `exit code ${exitCode}` : "it did not run to its end"}: ${seen}`,
    remedy: hasEnded
      ? "Do what git says, then run the same command again: it continues where it stopped."
      : "Check that git is installed and on the PATH, then run the same command again: it continues where it stopped.",
  });
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString().replace(/\n$/, "");
}

/**
 * Returns the environment without variables that a hook or an alias of the user may have left behind, because only the directory
 * chooses the repository.
 */
function withoutGitPlaces(env: GitPorts["env"]): Record<string, string | undefined> {
  const places = new Set(["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !places.has(name)));
}

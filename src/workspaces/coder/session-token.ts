import { readFile } from "node:fs/promises";
import type { Clock } from "agent-tty/kit";
import { runBounded } from "../bounded-process.ts";
import { type SharedToken, shareToken } from "./shared-token.ts";

/** The source of a new token after the old one has expired. */
export type TokenSource =
  /** The environment of this process, which cannot be changed from outside. */
  | { type: "environment" }
  /** A file that something else keeps up to date. */
  | { type: "file"; path: string }
  /** A shell command line that prints the token, run with this process's own environment. */
  | { type: "command"; commandLine: string };

/** The session token that all requests and all starts of the CLI use. It may change during a batch. */
export interface SessionToken {
  readonly source: TokenSource;
  current(): string;
  /**
   * Returns the path at which another process of this user can read the current token; null if there is none: the token is never
   * renewed, or its source is a command and this system has no procfs or no temporary directory that can be written.
   */
  file(): string | null;
  /**
   * Reads the token again after `refused` was answered with 401. Returns true if there is another token now. Concurrent callers
   * share one read. Rejects only with the signal's reason.
   */
  renew(refused: string, signal?: AbortSignal): Promise<boolean>;
  /** Removes every token used so far from the text. */
  redact(text: string): string;
}

const COMMAND_LIMITS = { timeoutMs: 30_000, maxOutputBytes: 64 * 1024, terminationGraceMs: 5000 };

/** Creates the session token, which is read again from its source when the deployment refuses it. */
export function createSessionToken(
  first: string,
  source: TokenSource,
  ports: {
    clock: Clock;
    inherited: NodeJS.ProcessEnv;
    /** Called with every token that is read at run time, because each is a secret to search for (S25). */
    onToken?: ((token: string) => void) | undefined;
  },
): SessionToken {
  const { clock, inherited, onToken } = ports;
  let token = first;
  const known = new Set([first]);
  let reading: Promise<string | null> | null = null;
  let shared: SharedToken | null = null;
  return {
    source,
    current: () => token,
    file: () => {
      if (source.type === "file") return source.path;
      if (source.type === "environment" || process.platform !== "linux") return null;
      try {
        shared ??= shareToken(token);
        return shared.path;
      } catch {
        // A full disk must not end a run: the file matters only to a connection that is lost after a renewal.
        return null;
      }
    },
    renew: async (refused, signal) => {
      if (token !== refused) return true;
      if (source.type === "environment") return false;
      reading ??= readToken(source, clock, inherited).finally(() => (reading = null));
      const found = await reading;
      signal?.throwIfAborted();
      if (found === null || found === refused) return false;
      token = found;
      known.add(found);
      onToken?.(found);
      try {
        shared?.replace(found);
      } catch {
        // The failure is ignored for the same reason as in `file`: only a connection that is lost later misses the token.
      }
      return true;
    },
    redact: (text) =>
      [...known].reduce((rest, each) => (each === "" ? rest : rest.replaceAll(each, "[token]")), text),
  };
}

/** Returns the token from its source, or null if there is none that can be sent as a header. */
async function readToken(
  source: Exclude<TokenSource, { type: "environment" }>,
  clock: Clock,
  inherited: NodeJS.ProcessEnv,
): Promise<string | null> {
  const text =
    source.type === "file"
      ? await readFile(source.path, "utf8").catch(() => "")
      : await printedBy(source.commandLine, clock, inherited);
  const token = text.trim();
  return /^[\x21-\x7e]+$/.test(token) ? token : null;
}

async function printedBy(commandLine: string, clock: Clock, inherited: NodeJS.ProcessEnv): Promise<string> {
  const env = Object.fromEntries(
    Object.entries(inherited).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const end = await runBounded(
    { command: ["sh", "-c", commandLine], cwd: process.cwd(), env, ...COMMAND_LIMITS },
    clock,
  );
  return end.type === "exited" && end.exitCode === 0 ? end.stdout.toString("utf8") : "";
}

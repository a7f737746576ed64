import { messageOf } from "agent-tty/kit";
import { issueKey, plainText, redactSecrets } from "../github/index.ts";
import { type BatchEvent, StopRequested } from "../triage/index.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Output } from "./output/index.ts";

export interface StopSignals extends Disposable {
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP (sent when the terminal is gone). */
  readonly stop: AbortSignal;
  onStop(listener: (reason: string) => void): void;
  /** Tracks which Coder workspaces exist, for the message of a second signal. */
  track(event: BatchEvent): void;
  /** Tracks a Coder workspace that no batch event mentions, until the result is disposed. */
  hold(name: string): Disposable;
  /** Returns the exit code after a signal, 130 or 143; null before it. */
  exitCode(): number | null;
}

const STOPPING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Makes the first signal stop the work gracefully. A second signal of the same kind ends the process at once and names what may
 * be left over. A signal of another kind has no effect: GitHub's runner sends SIGINT and, 7.5 seconds later, SIGTERM to a job
 * that is cancelled.
 */
export function stopOnSignals(output: Output): StopSignals {
  const controller = new AbortController();
  const held = new Map<string, string>();
  /**
   * Returns the key of an issue's second Coder workspace: a Triage Run has one for its lock, and one as the place of the parent's
   * own runs.
   */
  const placeKey = (issue: string): string => `${issue} verification`;
  const seen = new Set<NodeJS.Signals>();
  let received: NodeJS.Signals | null = null;
  let listener: (reason: string) => void = () => undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    const isRepeated = seen.has(signal);
    seen.add(signal);
    if (received !== null && !isRepeated) return;
    if (received !== null) {
      // A closing terminal sends SIGHUP more than once: through the shell, and again when the shell ends.
      if (signal === "SIGHUP") return;
      output.line(`second signal: exiting at once. ${leftOver([...held.values()])}`);
      process.exit(codeOf(received));
    }
    received = signal;
    listener(`received ${signal}`);
    controller.abort(new StopRequested("stopped"));
  };
  for (const signal of STOPPING) process.on(signal, onSignal);
  return {
    stop: controller.signal,
    onStop: (added) => {
      listener = added;
    },
    track: (event) => {
      if (event.type === "phase" && event.phase === "creating" && event.detail !== null) {
        const key = issueKey(event.ref);
        if (!held.has(key)) held.set(key, event.detail);
      }
      if (event.type === "place-requested") held.set(placeKey(issueKey(event.ref)), event.name);
      if (event.type !== "issue-finished") return;
      held.delete(issueKey(event.summary));
      held.delete(placeKey(issueKey(event.summary)));
    },
    hold: (name) => {
      held.set(name, name);
      return { [Symbol.dispose]: () => void held.delete(name) };
    },
    exitCode: () => (received === null ? null : codeOf(received)),
    [Symbol.dispose]: () => {
      if (received !== null) outlastHangUp();
      for (const signal of STOPPING) process.off(signal, onSignal);
    },
  };
}

function leftOver(names: readonly string[]): string {
  return names.length === 0
    ? "No Coder workspace is left."
    : `Coder workspaces that may be left: ${names.join(", ")}. \`afk-triage reap\` deletes them.`;
}

/**
 * Keeps SIGHUP from ending the process: a closing terminal sends it again while the stopped program ends, and by default the
 * caller would see that signal as the reason of the end. When nothing is left to do, `process.exit` ends the process, because
 * Node.js restores the default action of signals while it ends by itself.
 */
function outlastHangUp(): void {
  if (process.listeners("SIGHUP").includes(ignore)) return;
  process.on("SIGHUP", ignore);
  process.once("beforeExit", () => process.exit());
}

function ignore(): void {}

/**
 * Returns the exit code of `work`, or 130 or 143 if a signal ended it, even before there is a summary (for example during
 * preflight). Such an end is not reported as an error.
 */
export async function untilSignalled(
  signals: StopSignals,
  output: Output,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const exitCode = signals.exitCode();
    if (exitCode === null) throw error;
    const seen = isOfTheStop(error) ? "" : ` (${plainText(redactSecrets(messageOf(error)))})`;
    output.line(`stopped before there was anything to report${seen}`);
    return exitCode;
  }
}

/** Lets a signal end a command that only observes. The command still reports what it has seen so far. */
export async function untilLeft(work: Promise<unknown>, signals: StopSignals): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (signals.exitCode() === null) throw error;
  }
}

function codeOf(signal: NodeJS.Signals): number {
  return signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated;
}

/**
 * Returns whether an error is the result of the stop. Node.js rejects what a signal aborts, such as a question, with its own error.
 */
function isOfTheStop(error: unknown): boolean {
  return error instanceof StopRequested || (error instanceof Error && error.name === "AbortError");
}

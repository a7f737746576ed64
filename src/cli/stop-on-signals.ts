import { messageOf } from "agent-tty/kit";
import { issueKey, plainText, redactSecrets } from "../github/index.ts";
import { type BatchEvent, StopRequested } from "../triage/index.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Output } from "./output/index.ts";

export interface StopSignals extends Disposable {
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP (the terminal is gone). */
  readonly stop: AbortSignal;
  onStop(listener: (reason: string) => void): void;
  /** Keeps the list of Coder workspaces that exist, for the message of a second signal. */
  track(event: BatchEvent): void;
  /** The same for a Coder workspace that no batch's event tells of, until it is disposed. */
  hold(name: string): Disposable;
  /** 130 or 143 when signalled, else null. */
  exitCode(): number | null;
}

const STOPPING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * The first signal stops in good order, a second one of the kind ends the process at once and says what may be left. One of another
 * kind changes nothing: GitHub's runner sends SIGINT and, 7.5 seconds later, SIGTERM to a job that is cancelled.
 */
export function stopOnSignals(output: Output): StopSignals {
  const controller = new AbortController();
  const held = new Map<string, string>();
  /** A Triage Run has up to two: its lock, and the place of the parent's own runs. */
  const placeKey = (issue: string): string => `${issue} verification`;
  const seen = new Set<NodeJS.Signals>();
  let received: NodeJS.Signals | null = null;
  let listener: (reason: string) => void = () => undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    const isRepeated = seen.has(signal);
    seen.add(signal);
    if (received !== null && !isRepeated) return;
    if (received !== null) {
      // A terminal that closes sends it more than once: through the shell, and again when the shell ends.
      if (signal === "SIGHUP") return;
      const names = [...held.values()].join(", ") || "none";
      output.line(
        `second signal: exiting at once. Coder workspaces that may be left: ${names}. \`afk-triage reap\` deletes them.`,
      );
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
      for (const signal of STOPPING) process.off(signal, onSignal);
      if (received !== null) process.off("SIGHUP", ignore).on("SIGHUP", ignore);
    },
  };
}

/** A terminal that closes sends SIGHUP again while the stopped program ends: by default that would be the end that its caller sees. */
function ignore(): void {}

/**
 * A signal that comes before there is anything to sum up (in preflight, say) ends the command with 130 or 143, too, and
 * is no error to report.
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
    const seen = error instanceof StopRequested ? "" : ` (${plainText(redactSecrets(messageOf(error)))})`;
    output.line(`stopped before there was anything to report${seen}`);
    return exitCode;
  }
}

/** For a command that only looks: a signal ends the looking, and what was seen is still reported. */
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

import type { WaitedRunResult } from "agent-tty";
import { shellQuote } from "agent-tty/kit";
import type { TriageAgentContext } from "../triage-agent.ts";
import { processGroupFile } from "./launch-script.ts";

/** Reserved from the time until the run deadline, so that the Triage Agent can be stopped before the signal aborts. */
const STOP_RESERVE_MS = 5_000;
const PROMPT_PATIENCE_MS = 3_000;
const KILL_TIMEOUT_MS = 10_000;

/** Returns how long a Triage Agent may run, in milliseconds: the time until the run deadline, minus the time to stop it. */
export function agentTimeoutMs({ remainingMs }: TriageAgentContext): number {
  const leftMs = remainingMs();
  return Math.max(1, leftMs - Math.min(STOP_RESERVE_MS, leftMs / 4));
}

/**
 * Runs one Waited Run until its end or the deadline, and returns its result. Afterwards a Session that is still running is at a
 * prompt again, whether or not the run ended by itself.
 */
export async function runToEnd(context: TriageAgentContext, commandLine: string): Promise<WaitedRunResult> {
  const { session, signal } = context;
  const result = await stoppedOnError(context, () =>
    session.run(commandLine, { callerTimeoutMs: agentTimeoutMs(context), signal }),
  );
  if (result.type === "timed-out") await restorePrompt(context);
  return result;
}

/** Runs `work`. If it rejects (at the deadline or on a stop), stops the Triage Agent and then rethrows. */
export async function stoppedOnError<T>(context: TriageAgentContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await restorePrompt(context).catch(() => {});
    throw error;
  }
}

/**
 * Ends the process that occupies the Session's terminal: sends Ctrl-C, then SIGKILL to the Triage Agent's process group inside
 * the Coder workspace, then SIGKILL to the foreground process group on this machine. The last step comes last because over `coder
 * ssh` it ends the Session itself.
 */
export async function restorePrompt(context: TriageAgentContext): Promise<void> {
  const { session } = context;
  const attempts = [
    () => session.sendKeys(["Ctrl+C"]).then(() => true),
    () => killProcessGroup(context),
    () => session.signal("SIGKILL").then(() => true),
  ];
  try {
    for (const attempt of attempts) {
      if (session.status() !== "running") return;
      if ((await attempt()) && (await isAtPrompt(context))) return;
    }
  } catch (error) {
    // The Session may end during an attempt; then there is nothing left to restore.
    if (session.status() === "running") throw error;
  }
}

/**
 * A killed TUI does not reset its terminal modes. The probe leaves the alternate screen, turns bracketed paste off and shows the
 * cursor.
 */
const RESET_SCREEN = String.raw`printf '\033[?1049l\033[?2004l\033[?25h\033[0m'`;

async function isAtPrompt({ session }: TriageAgentContext): Promise<boolean> {
  if (session.status() !== "running") return false;
  const probe = await session.run(RESET_SCREEN, { callerTimeoutMs: PROMPT_PATIENCE_MS });
  return probe.type === "completed";
}

/** Returns false when there was no process group to kill: a local Coder workspace hides it in its own process table. */
async function killProcessGroup({ workspace, files }: TriageAgentContext): Promise<boolean> {
  const script = [
    `group=$(head -c 12 -- ${shellQuote(processGroupFile(files))}) || exit 1`,
    // The code under triage can write this file, so only the id of one process group is accepted from it.
    `case "$group" in *[!0-9]*|""|0|1) exit 1;; esac`,
    'kill -KILL -- "-$group"',
  ].join("\n");
  const killed = await workspace.exec(script, { timeoutMs: KILL_TIMEOUT_MS });
  return killed.type === "exited" && killed.exitCode === 0;
}

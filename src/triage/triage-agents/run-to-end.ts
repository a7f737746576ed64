import type { WaitedRunResult } from "agent-tty";
import { shellQuote } from "../../workspaces/index.ts";
import type { TriageAgentContext } from "../triage-agent.ts";
import { processGroupFile } from "./launch-script.ts";

/** Kept back from the run deadline, so that there is time to stop the Triage Agent before the signal fires. */
const STOP_RESERVE_MS = 5_000;
const PROMPT_PATIENCE_MS = 3_000;
const KILL_TIMEOUT_MS = 10_000;

/** How long a Triage Agent may run: what is left of the run deadline, less the time to stop it. */
export function agentTimeoutMs({ remainingMs }: TriageAgentContext): number {
  const leftMs = remainingMs();
  return Math.max(1, leftMs - Math.min(STOP_RESERVE_MS, leftMs / 4));
}

/** One Waited Run until its end or the deadline. Whatever happens, the Session is at a prompt again if it still lives. */
export async function runToEnd(context: TriageAgentContext, commandLine: string): Promise<WaitedRunResult> {
  const { session, signal } = context;
  const result = await stoppedOnError(context, () =>
    session.run(commandLine, { callerTimeoutMs: agentTimeoutMs(context), signal }),
  );
  if (result.type === "timed-out") await restorePrompt(context);
  return result;
}

/** Runs `work`; when it rejects (the deadline, a stop) the Triage Agent is stopped before the rejection goes on. */
export async function stoppedOnError<T>(context: TriageAgentContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await restorePrompt(context).catch(() => {});
    throw error;
  }
}

/**
 * Ends whatever holds the Session's terminal: Ctrl-C, then SIGKILL to the Triage Agent's process group where it runs, then
 * to the foreground process group on this side. The last comes last because over `coder ssh` it ends the Session itself.
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
    // The Session may end under an attempt; then there is nothing left to restore.
    if (session.status() === "running") throw error;
  }
}

/** A killed TUI leaves its modes behind: the probe leaves the alternate screen, stops pastes' brackets, shows the cursor. */
const RESET_SCREEN = String.raw`printf '\033[?1049l\033[?2004l\033[?25h\033[0m'`;

async function isAtPrompt({ session }: TriageAgentContext): Promise<boolean> {
  if (session.status() !== "running") return false;
  const probe = await session.run(RESET_SCREEN, { callerTimeoutMs: PROMPT_PATIENCE_MS });
  return probe.type === "completed";
}

/** False when there was none to kill: a local Coder workspace hides it in a process table of its own. */
async function killProcessGroup({ workspace, files }: TriageAgentContext): Promise<boolean> {
  const script = [
    `group=$(head -c 12 -- ${shellQuote(processGroupFile(files))}) || exit 1`,
    // The file is within reach of the code under triage: nothing but the id of one group is taken from it.
    `case "$group" in *[!0-9]*|""|0|1) exit 1;; esac`,
    'kill -KILL -- "-$group"',
  ].join("\n");
  const killed = await workspace.exec(script, { timeoutMs: KILL_TIMEOUT_MS });
  return killed.type === "exited" && killed.exitCode === 0;
}

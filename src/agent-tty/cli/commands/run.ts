import type { Home } from "../../home/index.ts";
import type { RunReply } from "../../protocol/index.ts";
import { exitText } from "../exit-text.ts";
import { TIMED_OUT_EXIT_CODE, INTERRUPTED_SESSION_EXIT_CODE } from "../exit-codes.ts";
import { withCommandTarget } from "../live-host.ts";
import type { CommandResult } from "../report.ts";

export interface RunArguments {
  commandLine: string;
  timeoutMs: number;
  waits: boolean;
  /** Whether agent-tty exits with the command's own exit code. */
  checks: boolean;
}

/**
 * Starts a Waited Run (A16). The exit code is 0 if the command was seen to end, or the command's own with `checks`;
 * TIMED_OUT_EXIT_CODE after a timeout; INTERRUPTED_SESSION_EXIT_CODE if the Session exited first.
 */
export async function run(
  home: Home,
  sessionId: string,
  options: RunArguments,
  signal: AbortSignal,
): Promise<CommandResult> {
  const { commandLine, timeoutMs, waits, checks } = options;
  const reply = await withCommandTarget(home, sessionId, (host) =>
    host.call({ method: "run", commandLine, timeoutMs, waits }, signal),
  );
  const failure = reply.type === "interrupted" ? (await home.readManifest(sessionId)).failure : null;
  const why = failure === null ? "" : `; ${failure}`;
  const result = { ...runResult(reply), ...(failure === null ? {} : { failure }) };
  return { result, text: sentence(reply) + why, exitCode: exitCodeOf(reply, checks) };
}

/** Returns the fields of the JSON contract that the command and a step of a batch have in common. */
export function runResult(reply: RunReply): Record<string, unknown> {
  const isStarted = reply.type === "started";
  return {
    accepted: reply.type === "timed-out" ? reply.accepted : true,
    completed: reply.type === "completed",
    timedOut: reply.type === "timed-out",
    interrupted: reply.type === "interrupted",
    seq: isStarted ? reply.seq : Math.max(0, reply.output.fromSeq - 1),
    durationMs: isStarted ? 0 : Math.round(reply.durationMs * 10) / 10,
    exitCode: reply.type === "completed" ? reply.exitCode : null,
    output: isStarted ? null : reply.output,
    ...(reply.type === "interrupted" ? { exit: reply.exit } : {}),
    ...(reply.type === "timed-out" ? { visibleText: reply.visibleText } : {}),
  };
}

function exitCodeOf(reply: RunReply, checks: boolean): number {
  switch (reply.type) {
    case "started":
      return 0;
    case "completed":
      return checks ? reply.exitCode : 0;
    case "timed-out":
      return TIMED_OUT_EXIT_CODE;
    case "interrupted":
      return INTERRUPTED_SESSION_EXIT_CODE;
    default:
      return reply satisfies never;
  }
}

function sentence(reply: RunReply): string {
  switch (reply.type) {
    case "started":
      return "started";
    case "completed":
      return `completed with exit code ${reply.exitCode} after ${Math.round(reply.durationMs)} ms`;
    case "timed-out":
      return `${reply.accepted ? "still running" : "not typed, because the shell shows no prompt,"} after ${Math.round(reply.durationMs)} ms; the screen:\n${reply.visibleText}`;
    case "interrupted":
      return `the Session exited ${exitText(reply.exit)} before the end of the command was seen`;
    default:
      return reply satisfies never;
  }
}

import { type Home, type SessionExit, type SessionManifest, STATUS_POLICY } from "../../home/index.ts";
import type { WaitReply } from "../../protocol/index.ts";
import { INTERRUPTED_SESSION_EXIT_CODE, TIMED_OUT_EXIT_CODE } from "../exit-codes.ts";
import { exitText } from "../exit-text.ts";
import { askLiveHost } from "../live-host.ts";
import type { CommandResult } from "../report.ts";
import { type SkippedDamage, skippedDamage } from "../skipped-damage.ts";

export type Condition = Readonly<Record<string, string | number>>;

/** The conditions of a wait. All of them must hold at the same time. */
export interface Awaited {
  /** The condition on the screen; empty: any screen. */
  condition: Condition;
  /** No event for this many milliseconds; null: not awaited. */
  idleMs: number | null;
  /** Whether the program has to end. */
  exit: boolean;
}

/**
 * Waits, through the live host, until all parts of a Render Wait hold (A19, A20). For a Session without a live host, the
 * condition is checked once against its Event Log, which cannot prove that a screen stayed unchanged (A21).
 */
export async function wait(
  home: Home,
  sessionId: string,
  awaited: Awaited,
  options: { timeoutMs: number | null; signal: AbortSignal },
): Promise<CommandResult> {
  const { timeoutMs, signal } = options;
  const live = await askLiveHost(home, sessionId, (host) =>
    host.call({ method: "wait", ...awaited, timeoutMs }, signal),
  );
  const session = await home.readManifest(sessionId);
  const skipped = skippedDamage(session);
  const reply = live ?? (await waitOffline(home, session, awaited, skipped));
  return {
    result: { ...waitResult(reply, session.exit), ...skipped.fields() },
    text: sentence(reply),
    exitCode: exitCodeOf(reply),
    warnings: skipped.warnings(),
  };
}

/** Returns the JSON result of `wait` and of commands that wait. `exit`: how the Session ended; null while it runs. */
export function waitResult(reply: WaitReply, exit: SessionExit | null): Record<string, unknown> {
  return {
    matched: reply.type === "matched",
    timedOut: reply.type === "timed-out",
    matchedText: reply.type === "matched" ? reply.matchedText : null,
    capturedAtSeq: reply.capturedAtSeq,
    screenHash: reply.screenHash,
    ...(reply.type === "interrupted" ? { interrupted: true, reason: reasonOf(reply.exit) } : {}),
    ...(reply.type === "matched" ? {} : { visibleText: reply.visibleText }),
    ...(exit === null ? {} : { exit, exitCode: exit.type === "code" ? exit.code : null }),
  };
}

/** Returns why a wait was interrupted, for people. `exit`: how the Session ended; null when that is not known. */
export function reasonOf(exit: SessionExit | null): string {
  if (exit === null) return "the Session is over, so this can no longer come true";
  return `the Session has exited ${exitText(exit)}, so this can no longer come true`;
}

async function waitOffline(
  home: Home,
  { sessionId, status, exit }: SessionManifest,
  awaited: Awaited,
  { onDamage }: SkippedDamage,
): Promise<WaitReply> {
  const { matchOffline, replaySession } = await import("../../replay/index.ts");
  const awaitsTime = awaited.exit || awaited.idleMs !== null;
  const isOver = STATUS_POLICY[status].offlineReplayEligible;
  if (Object.keys(awaited.condition).length === 0 && isOver) {
    const { seq, screenHash } = await replaySession(home, sessionId, { onDamage });
    return { type: "matched", matchedText: null, capturedAtSeq: seq, screenHash };
  }
  // The Event Log cannot show whether a Session whose status is not final has ended, has been silent, or has been stable.
  const condition = awaitsTime && !isOver ? { screenStableMs: 0 } : awaited.condition;
  const { match, snapshot } = await matchOffline(home, sessionId, condition, { onDamage });
  const seen = { capturedAtSeq: snapshot.seq, screenHash: snapshot.screenHash };
  if (match.matched) return { type: "matched", matchedText: match.matchedText, ...seen };
  const visibleText = snapshot.visibleLines.join("\n").trimEnd();
  return { type: "interrupted", exit, ...seen, visibleText };
}

function exitCodeOf(reply: WaitReply): number {
  if (reply.type === "matched") return 0;
  return reply.type === "timed-out" ? TIMED_OUT_EXIT_CODE : INTERRUPTED_SESSION_EXIT_CODE;
}

function sentence(reply: WaitReply): string {
  if (reply.type === "matched")
    return reply.matchedText === null ? "matched" : `matched ${reply.matchedText}`;
  const why = reply.type === "timed-out" ? "timed out" : reasonOf(reply.exit);
  return `${why}; the screen:\n${reply.visibleText}`;
}

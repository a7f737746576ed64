import type { Session, SessionExit, WaitedRunResult } from "agent-tty";
import type { Clock } from "agent-tty/kit";
import { planStep, type Step, TURN_TIMINGS, type TurnTimings } from "./plan-step.ts";
import { look, newTurn, remember } from "./turn-memory.ts";

/** One Turn of Claude Code's TUI, from the shell's prompt back to it. */
export interface ClaudeCodeTurn {
  /** At a prompt of bash with shell integration. */
  session: Session;
  /** Starts the TUI. */
  commandLine: string;
  /** Short: what is long belongs in a file that it names. */
  prompt: string;
  /** Whether what the Turn is for exists. Asked when the Turn looks ended. */
  hasResult: () => Promise<boolean>;
  /** When this runs out the Turn ends as timed-out, the TUI still open. */
  timeoutMs: number;
  /** Rejects with its reason, the TUI still open. */
  signal: AbortSignal;
  clock: Clock;
  timings?: TurnTimings;
}

export type ClaudeCodeTurnEnd =
  /** The program ended, by `/exit` or by itself; `failure` is the error the Turn ended with. */
  | { type: "exited"; exitCode: number; failure: string | null }
  /** The Turn is over but `/exit` did not end the program. */
  | { type: "did-not-exit"; failure: string | null }
  | { type: "timed-out"; visibleText: string }
  | { type: "blocked"; reason: string; visibleText: string }
  | { type: "interrupted"; exit: SessionExit };

/** A screen is read this often even if it never comes to rest, or never changes. */
const LOOK_AGAIN_MS = 500;
const REST_MS = 250;
const TYPED_SETTLE_MS = 150;
const TYPED_PATIENCE_MS = 2_000;
const EXIT_PATIENCE_MS = 10_000;

type TurnOver = { type: "turn-over"; failure: string | null };
type Blocked = Extract<ClaudeCodeTurnEnd, { type: "blocked" }>;

export async function driveClaudeCodeTurn(turn: ClaudeCodeTurn): Promise<ClaudeCodeTurnEnd> {
  const { session, timeoutMs } = turn;
  const over = new AbortController();
  const signal = AbortSignal.any([turn.signal, over.signal]);
  const program = session
    .run(turn.commandLine, { callerTimeoutMs: timeoutMs, signal: turn.signal })
    .then(programEnd);
  const driving = lookAndAct(turn, signal);
  try {
    // The program's end beats whatever the screen shows: a killed TUI leaves its last picture standing.
    const first = await Promise.race([program, driving]);
    return first.type === "turn-over" ? await leave(turn, program, first.failure, signal) : first;
  } catch (error) {
    // A Session that exits refuses input; the program's end says it better.
    if (turn.signal.aborted || session.status() === "running") throw error;
    return await program;
  } finally {
    over.abort(new Error("the Turn is over"));
    await Promise.allSettled([driving]);
    program.catch(() => {});
  }
}

async function lookAndAct(turn: ClaudeCodeTurn, signal: AbortSignal): Promise<TurnOver | Blocked> {
  const { session, clock } = turn;
  let memory = newTurn;
  for (;;) {
    signal.throwIfAborted();
    const snapshot = await session.snapshot();
    const seen = look(memory, snapshot, clock.monotonicMs());
    const step = planStep(seen.facts, turn.timings ?? TURN_TIMINGS);
    if (step.type === "blocked")
      return { type: "blocked", reason: step.reason, visibleText: snapshot.visibleLines.join("\n") };
    if (step.type === "turn-ended" && (step.isPatienceOver || (await turn.hasResult())))
      return { type: "turn-over", failure: step.failure };
    await applyStep(turn, step, signal);
    memory = remember(seen, step, clock.monotonicMs());
    await session.wait(
      { afterSeq: snapshot.seq, screenStableMs: REST_MS },
      { callerTimeoutMs: LOOK_AGAIN_MS, signal },
    );
  }
}

async function applyStep(
  { session, prompt }: ClaudeCodeTurn,
  step: Step,
  signal: AbortSignal,
): Promise<void> {
  switch (step.type) {
    case "press":
      await session.sendKeys(step.keys);
      return;
    case "paste-prompt":
      await letSettle(session, await session.paste(prompt), signal);
      await session.sendKeys(["Enter"]);
      return;
    case "submit-again":
      await session.sendKeys(["Enter"]);
      return;
    case "wait":
    case "enter-phase":
    case "turn-ended":
    case "blocked":
      return;
    default:
      step satisfies never;
  }
}

async function leave(
  { session, clock }: ClaudeCodeTurn,
  program: Promise<ClaudeCodeTurnEnd>,
  failure: string | null,
  signal: AbortSignal,
): Promise<ClaudeCodeTurnEnd> {
  await letSettle(session, await session.type("/exit"), signal);
  await session.sendKeys(["Enter"]);
  const patience = clock.sleep(EXIT_PATIENCE_MS, signal).then(() => null);
  // Its rejection at the end of the Turn concerns nobody.
  patience.catch(() => {});
  const ended = await Promise.race([program, patience]);
  if (ended === null) return { type: "did-not-exit", failure };
  return ended.type === "exited" ? { ...ended, failure } : ended;
}

/** Enter in the same breath as the text is taken for a newline by some versions. */
async function letSettle(session: Session, afterSeq: number, signal: AbortSignal): Promise<void> {
  await session.wait(
    { afterSeq, screenStableMs: TYPED_SETTLE_MS },
    { callerTimeoutMs: TYPED_PATIENCE_MS, signal },
  );
}

function programEnd(result: WaitedRunResult): ClaudeCodeTurnEnd {
  switch (result.type) {
    case "completed":
      return { type: "exited", exitCode: result.exitCode, failure: null };
    case "timed-out":
      return { type: "timed-out", visibleText: result.visibleText };
    case "interrupted":
      return { type: "interrupted", exit: result.exit };
    default:
      return result satisfies never;
  }
}

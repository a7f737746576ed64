import type { Session, WaitedRunResult } from "agent-tty";
import { OperationalError } from "agent-tty/kit";
import {
  type LiveTracker,
  sourceOfSession,
  startLiveTracker,
  submitDraft,
  submitPrompt,
} from "../live/index.ts";
import type { TrackedState } from "../tracked-state.ts";
import { createTracker, type SendErrorCode } from "../tracker/index.ts";
import { leaveTui } from "./leave-tui.ts";
import { planStep } from "./plan-step.ts";
import { type Step, TURN_TIMINGS } from "./turn-step.ts";
import type { TuiTurn, TuiTurnEnd } from "./tui-turn.ts";
import {
  afterLook,
  afterStep,
  afterSubmit,
  factsOf,
  newTurn,
  type SubmitEnd,
  type TurnMemory,
} from "./turn-memory.ts";

/** The shortest interval, in milliseconds, between two reads of a streaming TUI's screen. */
const REST_MS = 100;

type TurnOver = { type: "turn-over"; failure: string | null };
type Blocked = Extract<TuiTurnEnd, { type: "blocked" }>;

/**
 * Runs one Turn of a TUI and resolves with its end. The driver owns the startup blockers, the submit and the dialogs (C4).
 * Rejects with the signal's reason.
 */
export async function driveTurn(turn: TuiTurn): Promise<TuiTurnEnd> {
  const { session, timeoutMs, clock } = turn;
  const over = new AbortController();
  const signal = AbortSignal.any([turn.signal, over.signal]);
  let isEnded = false;
  const program = session
    .run(turn.commandLine, { callerTimeoutMs: timeoutMs, signal: turn.signal })
    .then(programEnd)
    .finally(() => (isEnded = true));
  await using tracker = startLiveTracker({
    source: sourceOfSession(session, () => !isEnded),
    tracker: createTracker(turn.detection),
    clock,
    restMs: REST_MS,
  });
  turn.onTracking(tracker);
  const driving = planAndAct(turn, tracker, signal);
  try {
    // The program's exit takes precedence over the screen, because a killed TUI leaves its last picture.
    const first = await Promise.race([program, driving]);
    return first.type === "turn-over" ? await leaveTui(turn, tracker, program, first.failure, signal) : first;
  } catch (error) {
    // A Session that exits refuses input. The program's exit describes the cause better than that refusal.
    if (turn.signal.aborted || session.status() === "running") throw error;
    return await program;
  } finally {
    over.abort(new Error("the Turn is over"));
    await Promise.allSettled([driving]);
    program.catch(() => {});
  }
}

async function planAndAct(
  turn: TuiTurn,
  tracker: LiveTracker,
  signal: AbortSignal,
): Promise<TurnOver | Blocked> {
  const { session, clock, timings = TURN_TIMINGS } = turn;
  let memory = newTurn;
  for (;;) {
    signal.throwIfAborted();
    let { state } = tracker;
    memory = afterLook(memory, state, clock.nowMs());
    let step = planned(turn, memory, state);
    if (sendsKeys(step)) {
      // The screen is read again directly before any key, because another question may have appeared.
      state = await tracker.refresh();
      step = planned(turn, memory, state);
    }
    if (step.type === "over") return { type: "turn-over", failure: step.failure };
    if (step.type === "blocked") return { ...step, visibleText: await visibleText(session) };
    if (step.type === "ask" && (await turn.hasResult())) return { type: "turn-over", failure: null };
    memory = await applyStep(turn, tracker, memory, step, signal);
    memory = afterStep(memory, step, state, clock.nowMs());
    const { stableSinceMs } = state.stability;
    await tracker.until(
      (next) => next.stability.stableSinceMs !== stableSinceMs,
      timings.planAgainMs,
      signal,
    );
  }
}

function planned(
  { texts, clock, timings = TURN_TIMINGS }: TuiTurn,
  memory: TurnMemory,
  state: TrackedState,
): Step {
  return planStep(factsOf(memory, state, { texts, nowMs: clock.nowMs() }), timings);
}

function sendsKeys({ type }: Step): boolean {
  return type === "press" || type === "dismiss" || type === "submit" || type === "submit-again";
}

async function applyStep(
  turn: TuiTurn,
  tracker: LiveTracker,
  memory: TurnMemory,
  step: Step,
  signal: AbortSignal,
): Promise<TurnMemory> {
  const { session, clock, texts, timings = TURN_TIMINGS } = turn;
  const { confirmMs, frozenMs } = timings;
  const parts = { tracker, input: session, clock, signal, timings: { confirmMs, frozenMs } };
  switch (step.type) {
    case "press":
      await session.sendKeys(step.keys);
      return memory;
    case "dismiss":
      await session.sendKeys(["Escape"]);
      return memory;
    case "submit":
      return submitted(memory, tracker, () => submitPrompt({ ...parts, text: texts[step.text] }));
    case "submit-again":
      return submitted(memory, tracker, () => submitDraft(parts));
    case "wait":
    case "ask":
    case "came-back":
    case "remind":
    case "over":
    case "blocked":
      return memory;
    default:
      return step satisfies never;
  }
}

async function submitted(
  memory: TurnMemory,
  tracker: LiveTracker,
  submit: () => Promise<unknown>,
): Promise<TurnMemory> {
  const before = tracker.state;
  const end = await submitEnd(submit);
  return afterSubmit(memory, { before, after: tracker.state }, end);
}

async function submitEnd(submit: () => Promise<unknown>): Promise<SubmitEnd> {
  try {
    await submit();
    return "taken";
  } catch (error) {
    const code = error instanceof OperationalError ? (error.code as SendErrorCode) : null;
    if (code === "TUI_SUBMIT_LOST") return isFrozen(error) ? "unanswered" : "lost";
    if (code === "TUI_NOT_READY") return "refused";
    throw error;
  }
}

function isFrozen(error: unknown): boolean {
  return error instanceof OperationalError && error.details["isFrozen"] === true;
}

async function visibleText(session: Session): Promise<string> {
  return (await session.snapshot()).visibleLines.join("\n");
}

function programEnd(result: WaitedRunResult): TuiTurnEnd {
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

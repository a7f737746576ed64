import type { Session, SessionExit, WaitedRunResult } from "agent-tty";
import { type Clock, OperationalError } from "agent-tty/kit";
import {
  type LiveTracker,
  sourceOfSession,
  startLiveTracker,
  submitDraft,
  submitPrompt,
} from "../live/index.ts";
import type { ResolvedProfile } from "../registry.ts";
import type { TrackedState } from "../tracked-state.ts";
import { createTracker, type SendErrorCode, sendGate } from "../tracker/index.ts";
import { planStep, type SentText, type Step, TURN_TIMINGS, type TurnTimings } from "./plan-step.ts";
import { afterStep, afterSubmit, factsOf, newTurn, type SubmitEnd, type TurnMemory } from "./turn-memory.ts";

/** One Turn of a coding TUI, from the shell's prompt back to it. */
export interface TuiTurn {
  /** At a prompt of bash with shell integration. */
  session: Session;
  /** Starts the TUI. */
  commandLine: string;
  /** Which detector reads it. */
  detection: ResolvedProfile;
  /** Short, both: what is long belongs in a file that they name. */
  texts: Readonly<Record<SentText, string>>;
  /** Leaves the TUI, e.g. `/exit`. */
  farewell: string;
  /** Whether what the Turn is for exists and is valid. Asked when the Turn has ended. */
  hasResult: () => Promise<boolean>;
  /** Hears of the tracker once it follows the TUI; it is disposed at the end of the Turn. */
  onTracking: (tracker: LiveTracker) => void;
  /** When this runs out the Turn ends as timed-out, the TUI still open. */
  timeoutMs: number;
  /** Rejects with its reason, the TUI still open. */
  signal: AbortSignal;
  clock: Clock;
  timings?: TurnTimings;
}

export type TuiTurnEnd =
  /** The program ended, by the farewell or by itself; `failure` is the error the Turn ended with. */
  | { type: "exited"; exitCode: number; failure: string | null }
  /** The Turn is over but the farewell did not end the program. */
  | { type: "did-not-exit"; failure: string | null }
  | { type: "timed-out"; visibleText: string }
  /** `reason` names what it waits at. */
  | { type: "blocked"; reason: string; visibleText: string }
  | { type: "interrupted"; exit: SessionExit };

/** The plan is made anew this often even if nothing changes: its patience runs out by time. */
const PLAN_AGAIN_MS = 500;
/** A TUI that streams is looked at no more often than this. */
const REST_MS = 100;
const TYPED_SETTLE_MS = 150;
const TYPED_PATIENCE_MS = 2_000;
const EXIT_PATIENCE_MS = 10_000;

type TurnOver = { type: "turn-over"; failure: string | null };
type Blocked = Extract<TuiTurnEnd, { type: "blocked" }>;

/** C4: the runner's part of a TUI: its startup blockers, the submit, its dialogs, and the end of its Turn. */
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
    // The program's end beats whatever the screen shows: a killed TUI leaves its last picture standing.
    const first = await Promise.race([program, driving]);
    return first.type === "turn-over" ? await leave(turn, tracker, program, first.failure, signal) : first;
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

async function planAndAct(
  turn: TuiTurn,
  tracker: LiveTracker,
  signal: AbortSignal,
): Promise<TurnOver | Blocked> {
  const { session, clock, timings = TURN_TIMINGS } = turn;
  let memory = newTurn;
  for (;;) {
    signal.throwIfAborted();
    const { state } = tracker;
    const step = planStep(factsOf(memory, state, clock.nowMs()), timings);
    if (step.type === "over") return { type: "turn-over", failure: step.failure };
    if (step.type === "blocked")
      return { type: "blocked", reason: step.reason, visibleText: await visibleText(session) };
    if (step.type === "ask" && (await turn.hasResult())) return { type: "turn-over", failure: null };
    memory = await applyStep(turn, tracker, memory, step, signal);
    memory = afterStep(memory, step, state, clock.nowMs());
    const { stableSinceMs } = state.stability;
    await tracker.until((next) => next.stability.stableSinceMs !== stableSinceMs, PLAN_AGAIN_MS, signal);
  }
}

async function applyStep(
  turn: TuiTurn,
  tracker: LiveTracker,
  memory: TurnMemory,
  step: Step,
  signal: AbortSignal,
): Promise<TurnMemory> {
  const { session, clock, texts } = turn;
  const parts = { tracker, input: session, clock, signal };
  switch (step.type) {
    case "press":
      await session.sendKeys(step.keys);
      return memory;
    case "dismiss":
      await session.sendKeys(["Escape"]);
      return memory;
    case "submit":
      return submitted(memory, tracker.state, () => submitPrompt({ ...parts, text: texts[step.text] }));
    case "submit-again":
      return submitted(memory, tracker.state, () => submitDraft(parts));
    case "wait":
    case "ask":
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
  before: TrackedState,
  submit: () => Promise<unknown>,
): Promise<TurnMemory> {
  return afterSubmit(memory, before, await submitEnd(submit));
}

async function submitEnd(submit: () => Promise<unknown>): Promise<SubmitEnd> {
  try {
    await submit();
    return "taken";
  } catch (error) {
    const code = error instanceof OperationalError ? (error.code as SendErrorCode) : null;
    if (code === "TUI_SUBMIT_LOST") return "lost";
    if (code === "TUI_NOT_READY") return "refused";
    throw error;
  }
}

/** Nothing is typed at a TUI that takes nothing: the caller ends it. */
async function leave(
  { session, clock, farewell }: TuiTurn,
  tracker: LiveTracker,
  program: Promise<TuiTurnEnd>,
  failure: string | null,
  signal: AbortSignal,
): Promise<TuiTurnEnd> {
  if (sendGate(await tracker.refresh()).type === "closed") return { type: "did-not-exit", failure };
  await letSettle(session, await session.type(farewell), signal);
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

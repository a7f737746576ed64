import { createHash } from "node:crypto";
import type { Session, SessionExit } from "agent-tty";
import { shellQuote } from "agent-tty/kit";
import { plainText } from "../../github/index.ts";
import type { ReadyWorkspace } from "../../workspaces/index.ts";
import type { Patience } from "../place.ts";
import { HOME_OF_RUNS, HOME_OF_USER } from "./apart.ts";
import { connectionLost } from "./connection-lost.ts";
import { cutCommandOnTerminal, DEFINE_PIPED, endOfCut, WITHOUT_PYTHON_CACHE } from "./cut-command.ts";
import { DeskFailure } from "./desk-failure.ts";
import type { DeskPaths } from "./desk-paths.ts";
import { OUTPUT_MAX_BYTES, type RunEnd, type RunRecord } from "../run-record.ts";

/**
 * The width of the shell integration's prompt, `$ `. After output without a final line end the prompt is in another column; then
 * the wait ends by time.
 */
const PROMPT_COLUMNS = 2;
const PROMPT_PATIENCE_MS = 500;
const CLEAR = String.raw`printf '\033[H\033[2J\033[3J'`;
/** The shell variable that holds the command that isolates a run; empty if the machine permits none. */
const APART = "AFK_TRIAGE_APART";
/**
 * The shell variable that holds the desk's directory. It is not exported, so that isolated runs, which all see the same path,
 * cannot learn their desk.
 */
const DESK = "AFK_TRIAGE_DESK";

/** The place of a run, as far as its Session needs it. */
type Connected = Pick<ReadyWorkspace, "connection">;

/** The result of one run. `output` is all that was read. */
export type ScriptRun = Pick<RunRecord, "end" | "output" | "outputHash" | "durationMs" | "screenHash">;

/** Prepares a Session for its runs, once: sets its desk and the command that isolates each run. */
export async function prepareSession(
  session: Session,
  workspace: Connected,
  { place, desk }: DeskPaths,
  apart: string,
  patience: Patience,
): Promise<void> {
  const exports = `export ${HOME_OF_RUNS}=${shellQuote(place)} ${HOME_OF_USER}="$HOME"`;
  const line = `${DEFINE_PIPED}; ${exports}; ${WITHOUT_PYTHON_CACHE}; ${DESK}=${shellQuote(desk)} ${APART}=${shellQuote(apart)}; mkdir -p "$${DESK}/run"`;
  const result = await session.run(line, {
    callerTimeoutMs: patience.remainingMs(),
    signal: patience.signal,
  });
  refuseLoss(workspace, result.type === "interrupted" ? result.exit : null, "prepare the runs");
}

/**
 * Runs the script once, as a Waited Run in the checkout that a turn has created, with its own HOME and TMPDIR. The command line is
 * the same every time except for `environment` (assignments), and the screen is cleared first.
 */
export async function runScript(
  session: Session,
  workspace: Connected,
  { timeoutMs, environment }: { timeoutMs: number; environment: string },
  patience: Patience,
): Promise<ScriptRun> {
  const { clock, signal, remainingMs } = patience;
  const entered = await session.run(`stty echo; cd "$${DESK}/run" && ${CLEAR}`, {
    callerTimeoutMs: remainingMs(),
    signal,
  });
  refuseLoss(workspace, entered.type === "interrupted" ? entered.exit : null, "enter the checkout");
  if (entered.type === "completed" && entered.exitCode !== 0)
    throw new DeskFailure("a run's checkout could not be entered");
  const limitSeconds = Math.max(1, Math.ceil(Math.min(timeoutMs, remainingMs()) / 1_000));
  const startedMs = clock.monotonicMs();
  // `timeout` ends the script inside the place; the caller timeout is the fallback.
  const result = await session.run(
    cutCommandOnTerminal("../reproduction", APART, limitSeconds, environment),
    {
      callerTimeoutMs: limitSeconds * 1_000 + 15_000,
      signal,
    },
  );
  refuseLoss(workspace, result.type === "interrupted" ? result.exit : null, "run the reproduction");
  const output = plainText(await session.readOutput(result.output, OUTPUT_MAX_BYTES));
  const durationMs = Math.round(clock.monotonicMs() - startedMs);
  // The prompt appears after the run's end. With it on the screen, equal runs have equal screens.
  const shown = await session.wait(
    { cursorCol: PROMPT_COLUMNS },
    { callerTimeoutMs: PROMPT_PATIENCE_MS, signal },
  );
  const limitMs = limitSeconds * 1_000;
  return {
    end: endOf(result, durationMs, limitMs),
    output,
    outputHash: createHash("sha256").update(output).digest("hex"),
    durationMs,
    screenHash: shown.screenHash,
  };
}

function endOf(result: Awaited<ReturnType<Session["run"]>>, durationMs: number, limitMs: number): RunEnd {
  if (result.type === "interrupted") return { type: "interrupted" };
  if (result.type === "timed-out") return { type: "timed-out", limitMs };
  return endOfCut(result.exitCode, durationMs, limitMs);
}

/** Throws for a lost connection. It proves nothing about the bug, so it must not become a verdict (T12). */
function refuseLoss(workspace: Connected, exit: SessionExit | null, attempted: string): void {
  const { connection } = workspace;
  if (exit !== null && connection !== null && connection.isLoss(exit)) throw connectionLost(attempted);
}

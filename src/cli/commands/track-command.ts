import { existsSync } from "node:fs";
import { join } from "node:path";
import { type EngineErrorCode, type Home, openHome, sessionLiveness } from "agent-tty";
import { OperationalError, shellQuote, startDeadline, systemClock, systemIds } from "agent-tty/kit";
import {
  changesOf,
  followedStates,
  recogniseTool,
  replayedStates,
  resolveProfile,
  type SessionState,
  type TrackedState,
  trackedStateJson,
  type TrackedTool,
} from "../../tui/index.ts";
import { plainText } from "../../github/index.ts";
import { readEnvironment } from "../../config/index.ts";
import { resolveHome } from "../../home/index.ts";
import { commandHint } from "../command-hint.ts";
import { type CliErrorCode, exitCodes } from "../exit-codes.ts";
import type { Output } from "../output/index.ts";
import { stopOnSignals, untilSignalled } from "../stop-on-signals.ts";

export type AwaitedState = "ready" | "active" | "success" | "exited";

export interface TrackRequest {
  home?: string;
  agentTtyHome?: string;
  tool?: string;
  toolVersion?: string;
  replay?: true;
  once?: true;
  until?: AwaitedState;
  /** The time limit, in milliseconds. */
  timeout?: number;
}

const TIMEOUT_MS = 10 * 60_000;
/** The time that `--once` waits for further states of a live screen after the first one, in milliseconds. */
const FIRST_STATE_MS = 1_500;

/** `track SESSION`. Returns 1, with STATE_NOT_REACHED, when the state that `--until` names was not reached. */
export async function trackSession(session: string, request: TrackRequest, output: Output): Promise<number> {
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, async () => {
    const home = await openSessionHome(session, request);
    const { type, states } = await statesOf(home, session, request, { output, stop: signals.stop });
    const told = await tell(states, request, output);
    const exitCode = signals.exitCode();
    if (exitCode !== null) return exitCode;
    if (request.until !== undefined && told.type !== "reached")
      throw notReached(session, request.until, told.last, type);
    return exitCodes.done;
  });
}

interface TrackPorts {
  output: Output;
  stop: AbortSignal;
}

async function statesOf(
  home: Home,
  session: string,
  request: TrackRequest,
  { output, stop }: TrackPorts,
): Promise<{ type: "live" | "replay"; states: AsyncIterable<SessionState> }> {
  const manifest = await home.readManifest(session).catch((error: unknown) => {
    throw withOwnRemedy(error, home);
  });
  const wish = { tool: request.tool ?? null, observedVersion: request.toolVersion ?? null };
  const tool = await recogniseTool(home, session, wish);
  output.line(describe(session, tool));
  const detection = resolveProfile(tool ?? { tool: "unknown", observedVersion: null });
  if (request.replay === true || sessionLiveness(manifest) !== "live") {
    const nowMs = sessionLiveness(manifest) === "live" ? systemClock.nowMs() : Date.parse(manifest.updatedAt);
    const replayed = replayedStates(home, session, { detection, nowMs });
    return { type: "replay", states: request.once === true ? lastOf(replayed) : changesOf(replayed) };
  }
  const followed = (signal: AbortSignal): AsyncIterable<SessionState> =>
    followedStates(home, session, { detection, clock: systemClock, signal });
  if (request.once === true) return { type: "live", states: firstKnown(stop, followed) };
  const limitMs = request.timeout ?? TIMEOUT_MS;
  const states = request.until === undefined ? followed(stop) : within(limitMs, stop, followed);
  return { type: "live", states: changesOf(states) };
}

/**
 * Returns the error with a remedy for this program. The engine's remedy is for agent-tty, which has another home and means another
 * one by `--home`.
 */
function withOwnRemedy(error: unknown, { directory }: Home): unknown {
  if (!(error instanceof OperationalError) || error.code !== "SESSION_NOT_FOUND") return error;
  const { message, details } = error;
  return new OperationalError<EngineErrorCode>({
    code: "SESSION_NOT_FOUND",
    message,
    remedy: `Run \`${commandHint("agent-tty")} --home ${shellQuote(directory)} list --all\` for the Sessions of this home, or name another one with --agent-tty-home.`,
    details,
    cause: error,
  });
}

/** Yields the states until the time limit or the signal, whichever comes first. Neither is an error. */
async function* within(
  limitMs: number,
  stop: AbortSignal,
  follow: (signal: AbortSignal) => AsyncIterable<SessionState>,
): AsyncGenerator<SessionState, void, undefined> {
  using deadline = startDeadline(systemClock, "tracking a Session", limitMs, stop);
  yield* follow(deadline.signal);
}

/** Yields the first state whose phase is known or that shows a dialog, otherwise the last state. */
async function* firstKnown(
  stop: AbortSignal,
  follow: (signal: AbortSignal) => AsyncIterable<SessionState>,
): AsyncGenerator<SessionState> {
  const enough = new AbortController();
  let limit: Disposable | null = null;
  let last: SessionState | null = null;
  for await (const one of follow(AbortSignal.any([stop, enough.signal]))) {
    last = one;
    limit ??= systemClock.schedule(FIRST_STATE_MS, () => enough.abort(new Error("no more was found out")));
    if (one.state.turn.phase !== "unknown" || one.state.surface.shows.type === "dialog") break;
  }
  limit?.[Symbol.dispose]();
  if (last !== null) yield last;
}

async function* lastOf(states: AsyncIterable<SessionState>): AsyncGenerator<SessionState> {
  let last: SessionState | null = null;
  for await (const one of states) last = one;
  if (last !== null) yield last;
}

type Told = { type: "reached" } | { type: "ended"; last: TrackedState | null };

async function tell(
  states: AsyncIterable<SessionState>,
  { until }: TrackRequest,
  output: Output,
): Promise<Told & { last: TrackedState | null }> {
  let last: TrackedState | null = null;
  for await (const { state, seq, atMs } of states) {
    last = state;
    const isRead = await output.record(
      { seq, ...trackedStateJson(state, Math.max(atMs, state.atMs)) },
      describeState(seq, state),
    );
    if (until !== undefined && REACHED[until](state)) return { type: "reached", last };
    if (!isRead) break;
  }
  return { type: "ended", last };
}

const REACHED: Record<AwaitedState, (state: TrackedState) => boolean> = {
  ready: ({ turn }) => turn.phase === "ready",
  active: ({ turn }) => turn.phase === "active",
  success: ({ lastTurn }) => lastTurn.result === "success",
  exited: ({ diagnostics }) => ["unavailable", "tui_down"].includes(diagnostics.availability),
};

function describeState(seq: number, { turn, lastTurn, surface, diagnostics }: TrackedState): string {
  const shows = plainText(surface.shows.type);
  return `${String(seq).padStart(6)}  ${turn.phase}, shows ${shows}, last turn ${lastTurn.result}, ${diagnostics.availability}`;
}

function describe(session: string, tool: TrackedTool | null): string {
  if (tool === null)
    return `${session}: it is unknown which TUI runs in it, so little of its state is known; name the TUI with --tool`;
  return `${session}: ${tool.tool} ${tool.observedVersion ?? "of an unknown version (--tool-version)"}`;
}

/** Opens the home of the Session. A query must not create a home. */
async function openSessionHome(session: string, request: TrackRequest): Promise<Home> {
  const directory =
    request.agentTtyHome ?? join(resolveHome(request.home, readEnvironment(process.env)), "agent-tty");
  if (existsSync(join(directory, "sessions")))
    return openHome({ directory, clock: systemClock, ids: systemIds(systemClock) });
  throw new OperationalError<EngineErrorCode>({
    code: "SESSION_NOT_FOUND",
    message: `track ${session}: there are no Sessions in ${directory}`,
    remedy:
      "Name the home with --home or --agent-tty-home; `afk-triage show N` prints the Session of an issue.",
  });
}

function notReached(
  session: string,
  until: AwaitedState,
  last: TrackedState | null,
  how: "live" | "replay",
): OperationalError<CliErrorCode> {
  const rests = last?.evidence.map(({ signal, text }) => `\n  ${signal}: ${text.trim()}`).join("") ?? "";
  const seen =
    last === null
      ? "it was not seen at all"
      : `last seen: ${last.diagnostics.availability}, phase ${last.turn.phase}, last turn ${last.lastTurn.result}, shows ${last.surface.shows.type}${rests}`;
  return new OperationalError<CliErrorCode>({
    code: "STATE_NOT_REACHED",
    message: `track ${session} until ${until}: ${how === "live" ? "the state was not reached in time" : "the recording ends before that"}; ${seen}`,
    remedy:
      how === "live"
        ? "Look at the screen (`agent-tty snapshot`, `afk-triage attach`), or raise --timeout."
        : "Omit --until to see every state.",
  });
}

import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import {
  changesOf,
  followedStates,
  recogniseTool,
  replayedStates,
  resolveProfile,
  type SessionState,
} from "../../../src/tui/index.ts";
import { PATIENT } from "../../agent-tty/engine-fixture.ts";
import { lineOf, trackedSession, withoutRepeats } from "./tracked-session.ts";

const TURN = [
  "available dialog unknown",
  "available composer ready",
  "available composer active",
  "available dialog unknown",
  "available composer active",
  "available composer ready",
  "available composer ready success/explicit_input",
  "unavailable other unknown",
];

/** The time after which an end counts as a success (1 s), and more than one interval of the tracker's reads. */
const SETTLED_MS = 1_100;

const detection = resolveProfile({ tool: "claude", observedVersion: "2.1.197" });

async function linesOf(
  states: AsyncIterable<SessionState>,
  onState: (line: string) => unknown = () => undefined,
): Promise<string[]> {
  const lines: string[] = [];
  for await (const { state } of changesOf(states)) {
    lines.push(lineOf(state));
    onState(lineOf(state));
  }
  return settled(lines);
}

/** Drops the first states: whether the TUI has painted by the first read depends on timing. */
function settled(lines: readonly string[]): string[] {
  return withoutRepeats(lines.filter((line) => !/^(?:unknown|available) other/.test(line)));
}

test("a Session is tracked in the same way live and from its Event Log, and a logged submit is an explicit Turn (H1, H3, H4, H11)", async () => {
  await using tracked = await trackedSession();
  const { home, session } = tracked;
  const signal = AbortSignal.timeout(60_000);
  const told: string[] = [];
  const following = linesOf(
    followedStates(home, session.id, { detection, clock: systemClock, signal }),
    (line) => told.push(line),
  );
  const hasTold = async (count: number): Promise<void> => {
    await expect
      .poll(() => settled(told).length, { timeout: 20_000, interval: 5 })
      .toBeGreaterThanOrEqual(count);
  };
  // The follower reads the screen at intervals, so no key is pressed before it has published the current screen.
  await tracked.playTurn((screen) => hasTold(screen + 1));
  await hasTold(TURN.length - 1);
  // The replay may read the last screen one interval (50 ms) later than the live tracker did, so the end must be that much later
  // too.
  await session.wait({ screenStableMs: SETTLED_MS }, PATIENT);
  await session.destroy({ force: true });
  expect(await following).toEqual(TURN);
  const replayed = replayedStates(home, session.id, { detection, nowMs: systemClock.nowMs() });
  const lines = await linesOf(replayed);
  expect(lines).toEqual(TURN);
});

test("an unchanged screen of a running Session counts as stable until now (H33)", async () => {
  await using tracked = await trackedSession();
  const { home, session } = tracked;
  await tracked.playTurn();
  const replay = async (nowMs: number): Promise<string | undefined> =>
    (await linesOf(replayedStates(home, session.id, { detection, nowMs }))).at(-1);
  expect(await replay(0)).toBe("available composer ready");
  expect(await replay(systemClock.nowMs() + 60_000)).toBe("available composer ready success/explicit_input");
});

test("the tool of a Session is found by request, mark or command, in that order (H6, H11)", async () => {
  await using tracked = await trackedSession();
  const { home, session } = tracked;
  const wishes = [
    [
      { tool: null, observedVersion: null },
      { tool: "claude", observedVersion: "2.1.197" },
    ],
    [
      { tool: null, observedVersion: "2.1.3" },
      { tool: "claude", observedVersion: "2.1.3" },
    ],
    [
      { tool: "codex", observedVersion: null },
      { tool: "codex", observedVersion: null },
    ],
  ] as const;
  for (const [wish, tool] of wishes) expect(await recogniseTool(home, session.id, wish)).toEqual(tool);
  await session.mark("tui gemini");
  await session.mark("something else");
  expect(await recogniseTool(home, session.id, { tool: null, observedVersion: null })).toEqual({
    tool: "gemini",
    observedVersion: null,
  });
});

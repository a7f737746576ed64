import { followScreen } from "agent-tty";
import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import {
  createTracker,
  sourceOfFollowedScreen,
  sourceOfSession,
  startLiveTracker,
} from "../../../src/tui/index.ts";
import { engine } from "../../agent-tty/engine-fixture.ts";
import { DONE, IDLE, scriptedProfile, WORKING } from "../tracker/scripted-tui.ts";

const PATIENCE_MS = 20_000;

test.concurrent("a Session is followed from its current screen to its end (H3, H13, H33)", async () => {
  await using tty = await engine();
  const show = (signals: object): string => `printf '\\033[2J\\033[H%s' '${JSON.stringify(signals)}'`;
  const script = [show(IDLE), "read go", show(WORKING), "read go", show(DONE()), "read go"].join("; ");
  const session = await tty.create({ command: ["sh", "-c", `stty -echo; ${script}`], cols: 400 });
  const detection = { profile: scriptedProfile, observedVersion: null, profileExtrapolated: true };
  const tracker = createTracker({
    ...detection,
    settings: { settleMs: { explicit_input: 50, surface_inference: 50 } },
  });
  await using live = startLiveTracker({ source: sourceOfSession(session), tracker, clock: systemClock });
  const becomes = (phase: string): Promise<unknown> =>
    live.until(({ turn }) => turn.phase === phase, PATIENCE_MS);
  expect(await becomes("ready")).not.toBeNull();
  await session.sendKeys(["Enter"]);
  expect(await becomes("active")).not.toBeNull();
  await session.sendKeys(["Enter"]);
  const settled = await live.until(({ lastTurn }) => lastTurn.result === "success", PATIENCE_MS);
  expect(settled?.lastTurn.source).toBe("surface_inference");
  await session.sendKeys(["Enter"]);
  const gone = await live.until(({ diagnostics }) => diagnostics.availability === "unavailable", PATIENCE_MS);
  expect(gone?.lastTurn.result).toBe("none");
});

test.concurrent("a Session is followed through its Event Log from its current screen to its end (H3, H13)", async () => {
  await using tty = await engine();
  const script = `printf '%s' '${JSON.stringify(IDLE)}'; read go; printf '\\033[2J\\033[H%s' '${JSON.stringify(WORKING)}'; read go`;
  const session = await tty.create({ command: ["sh", "-c", `stty -echo; ${script}`], cols: 400 });
  await session.wait({ text: "composer" }, { callerTimeoutMs: PATIENCE_MS });
  await using followed = await followScreen(tty.home, session.id);
  const tracker = createTracker({
    profile: scriptedProfile,
    observedVersion: null,
    profileExtrapolated: true,
  });
  const source = sourceOfFollowedScreen(followed, systemClock);
  await using live = startLiveTracker({ source, tracker, clock: systemClock });
  expect(await live.until(({ turn }) => turn.phase === "ready", PATIENCE_MS)).not.toBeNull();
  await session.sendKeys(["Enter"]);
  expect(await live.until(({ turn }) => turn.phase === "active", PATIENCE_MS)).not.toBeNull();
  await session.sendKeys(["Enter"]);
  expect(
    await live.until(({ diagnostics }) => diagnostics.availability === "unavailable", PATIENCE_MS),
  ).not.toBeNull();
});

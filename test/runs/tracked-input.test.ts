import { expect, test } from "vitest";
import { type Posture, postureOf, trackedInput } from "../../src/runs/index.ts";
import type { Surface, TrackedState, TurnPhase } from "../../src/tui/index.ts";
import { scriptedTerminal } from "../tui/live/scripted-terminal.ts";
import { IDLE, WORKING } from "../tui/tracker/scripted-tui.ts";

const composer: Surface = { type: "composer" };
const dialog: Surface = {
  type: "dialog",
  dialog: { kind: "permission", heading: "Allow?", choices: ["yes"], selected: 0 },
};

function tracked(
  phase: TurnPhase,
  shows: Surface,
  availability: "available" | "tui_down" = "available",
): TrackedState {
  return {
    atMs: 0,
    diagnostics: { availability, probeError: null, parseError: null },
    surface: {
      shows,
      acceptingInput: shows.type === "dialog" ? "no" : "yes",
      editingInput: "no",
      readyPosture: "unknown",
      pendingInput: "no",
    },
    turn: { phase, activeReasons: [], isExplicitInputArmed: false },
    lastTurn: { result: "none", source: "none", error: null, atMs: null },
    stability: { signature: "", stableSinceMs: 0 },
    detector: { family: "claude_code", profile: "x", observedVersion: null, profileExtrapolated: false },
    evidence: [],
  };
}

test("the posture is what the tracker proves, and a 'working' row counts only if the live prompt is on the screen (C5)", () => {
  const rows: [TurnPhase, Surface, Posture][] = [
    ["active", composer, "busy"],
    ["active", { type: "other" }, "unknown"],
    ["active", dialog, "waiting"],
    ["unknown", dialog, "waiting"],
    ["ready", composer, "ready"],
    ["unknown", composer, "unknown"],
  ];
  for (const [phase, shows, posture] of rows) expect(postureOf(tracked(phase, shows), 0)).toBe(posture);
  expect(postureOf(tracked("ready", composer, "tui_down"), 0)).toBe("unknown");
});

test("a busy TUI without a change for a minute proves nothing, and a dialog still waits (C5)", () => {
  expect(postureOf(tracked("active", composer), 59_999)).toBe("busy");
  expect(postureOf(tracked("active", composer), 60_000)).toBe("unknown");
  expect(postureOf(tracked("unknown", dialog), 3_600_000)).toBe("waiting");
  expect(postureOf(tracked("ready", composer), 3_600_000)).toBe("ready");
});

test("a status row below the prompt counts as old, and any other sign of work still counts (C5)", () => {
  const at = (statusRow: number, activeReasons: string[]): Posture => {
    const state = tracked("active", composer);
    const evidence: TrackedState["evidence"] = [
      { signal: "accepting_input", row: 5, text: "›" },
      { signal: "active", row: statusRow, text: "• Working (3s • esc to interrupt)" },
    ];
    return postureOf({ ...state, turn: { ...state.turn, activeReasons }, evidence }, 0);
  };
  expect(at(3, ["status_row"])).toBe("busy");
  expect(at(7, ["status_row"])).toBe("unknown");
  expect(at(7, ["status_row", "title_spinner"])).toBe("busy");
});

test("a text is pasted and submitted only through an open gate, and a refusal types nothing and has a remedy (H39)", async () => {
  await using terminal = await scriptedTerminal();
  const { clock, tracker, input } = terminal;
  const { gate, posture, liveness } = trackedInput(tracker, input, clock);
  const send = async (): Promise<unknown> => {
    const sending = gate.send("hello", new AbortController().signal);
    await clock.advance(10_000);
    return sending;
  };
  expect([await posture(), await liveness()]).toEqual(["ready", "alive"]);
  terminal.onKeys = () => terminal.show(WORKING);
  expect(await send()).toEqual({ type: "sent" });
  expect(terminal.sent).toEqual(["paste hello", "Enter"]);
  expect(await posture()).toBe("busy");
  expect(await send()).toEqual({
    type: "refused",
    reason: "not-ready",
    remedy: "wait until the Turn has ended",
  });
  terminal.show({ ...IDLE, surface: dialog, acceptingInput: "no", readyPosture: "no" });
  await clock.advance(100);
  expect(await posture()).toBe("waiting");
  expect(await send()).toEqual({
    type: "refused",
    reason: "input-not-accepted",
    remedy: "answer the dialog first",
  });
  expect(terminal.sent).toEqual(["paste hello", "Enter"]);
  terminal.runtime = { terminal: "up", process: "gone", probeError: null };
  await clock.advance(1_000);
  expect([await posture(), await liveness()]).toEqual(["unknown", "unknown"]);
});

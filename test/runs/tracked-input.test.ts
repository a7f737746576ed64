import { createVirtualClock } from "agent-tty/testing";
import { expect, test } from "vitest";
import { type Posture, postureOf, trackedInput } from "../../src/runs/index.ts";
import type { Surface, TrackedState, Tracker, TurnPhase } from "../../src/tui/index.ts";

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

test("C5: the posture is what the tracker proves; a row that says working counts only beside the live prompt", () => {
  const rows: [TurnPhase, Surface, Posture][] = [
    ["active", composer, "busy"],
    ["active", { type: "other" }, "unknown"],
    ["active", dialog, "waiting"],
    ["unknown", dialog, "waiting"],
    ["ready", composer, "ready"],
    ["unknown", composer, "unknown"],
  ];
  for (const [phase, shows, posture] of rows) expect(postureOf(tracked(phase, shows))).toBe(posture);
  expect(postureOf(tracked("ready", composer, "tui_down"))).toBe("unknown");
});

test("C5: a status row below the prompt is an old one; any other sign of work still counts", () => {
  const at = (statusRow: number, activeReasons: string[]): Posture => {
    const state = tracked("active", composer);
    return postureOf({
      ...state,
      turn: { ...state.turn, activeReasons },
      evidence: [
        { signal: "accepting_input", row: 5, text: "›" },
        { signal: "active", row: statusRow, text: "• Working (3s • esc to interrupt)" },
      ],
    });
  };
  expect(at(3, ["status_row"])).toBe("busy");
  expect(at(7, ["status_row"])).toBe("unknown");
  expect(at(7, ["status_row", "title_spinner"])).toBe("busy");
});

/** What is typed when a text is sent while the tracker says `state`. */
async function sent(state: TrackedState): Promise<unknown[]> {
  const did: unknown[] = [];
  const tracker: Tracker = {
    state,
    nextTimerMs: null,
    apply: (event) => {
      if (event.type === "submitted") did.push("submitted");
      return state;
    },
  };
  const session = {
    detailedSnapshot: async () => ({ visibleLines: [], cells: [], cursor: {} }) as never,
    paste: async (text: string) => did.push(`paste ${text}`),
    sendKeys: async (keys: readonly string[]) => did.push(keys.join()),
  };
  const { gate } = trackedInput(session, tracker, createVirtualClock());
  did.push(await gate.send("hello", new AbortController().signal));
  return did;
}

test("H39: a text is typed and submitted only through an open gate; a refusal types nothing and says what to do", async () => {
  expect(await sent(tracked("ready", composer))).toEqual([
    "paste hello",
    "Enter",
    "submitted",
    { type: "sent" },
  ]);
  expect(await sent(tracked("active", composer))).toEqual([
    { type: "refused", reason: "not-ready", remedy: "wait until the Turn has ended" },
  ]);
  expect(await sent(tracked("unknown", dialog))).toEqual([
    { type: "refused", reason: "input-not-accepted", remedy: "answer the dialog first" },
  ]);
});

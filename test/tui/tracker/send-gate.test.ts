import { expect, test } from "vitest";
import {
  activityOf,
  sendGate,
  sendRefused,
  trackedStateJson,
  trackedStateSchema,
  type TuiSignals,
} from "../../../src/tui/index.ts";
import { DRAFT, FAILED, IDLE, type Step, track, WORKING } from "./scripted-tui.ts";

const DIALOG: Partial<TuiSignals> = {
  surface: {
    type: "dialog",
    dialog: { kind: "permission", heading: "Do you want to proceed?", choices: ["Yes", "No"], selected: 0 },
  },
  acceptingInput: "no",
  readyPosture: "no",
};

function last(...happenings: Step[1][]): ReturnType<typeof track>[number] {
  const state = track(happenings.map((happening, index) => [index, happening])).at(-1);
  if (state === undefined) throw new Error("no state");
  return state;
}

test("a prompt may be sent only to an available TUI that is ready, accepts input and has no draft (H39)", () => {
  const check = (state: ReturnType<typeof last>, expected: string): void => {
    const gate = sendGate(state);
    expect(gate.type === "open" ? "open" : gate.reason).toBe(expected);
  };
  check(last({ screen: IDLE }), "open");
  check(last({ screen: { acceptingInput: "unknown" } }), "open");
  // If the detector cannot determine whether the composer contains a draft, nothing is blocked.
  check(last({ screen: { editingInput: "unknown" } }), "open");
  check(last({ screen: WORKING }), "not-ready");
  check(last({ screen: IDLE }, { do: "submit" }), "not-ready");
  check(last({ screen: DIALOG }), "input-not-accepted");
  check(last({ screen: DRAFT("half a thought") }), "draft-in-composer");
  check(last({ screen: IDLE }, { probe: { process: "gone" } }), "not-available");
  check(last({ screen: IDLE }, { probe: { terminal: "gone" } }), "not-available");
  check(last({ screen: IDLE }, { probe: { probeError: "no answer" } }), "not-available");
});

test("a refused send is a typed error with the observation and the remedy (H39)", () => {
  const error = sendRefused(last({ screen: DIALOG }), "input-not-accepted");
  expect(error.code).toBe("TUI_NOT_READY");
  expect(error.message).toContain('a permission dialog "Do you want to proceed?"');
  expect(error.remedy).toContain("answer the dialog");
  expect(error.details).toMatchObject({ reason: "input-not-accepted" });
});

test("the state's JSON contains its detector, version, evidence and stability (H1, H11)", () => {
  const json = trackedStateJson(last({ screen: FAILED() }, { screen: { ...FAILED(), ...DIALOG } }), 2_501);
  expect(trackedStateSchema.parse(JSON.parse(JSON.stringify(json)))).toEqual(json);
  expect(json).toMatchObject({
    diagnostics: { availability: "available" },
    surface: { accepting_input: "no", dialog: { kind: "permission", selected: 0 } },
    turn: { phase: "unknown", explicit_input_armed: false },
    last_turn: { result: "known_failure", source: "surface_inference", error: "API Error: 500", at_ms: 0 },
    stability: { stable_for_seconds: 2.5 },
    detector: { name: "scripted", version: "1.x" },
    observed_version: "1.2.3",
    profile_extrapolated: false,
  });
});

test("one function converts observations to durable activity, and unknown observations to none (H5)", () => {
  const check = (state: ReturnType<typeof last>, expected: string | null): void =>
    expect(activityOf(state)).toBe(expected);
  check(last({ screen: WORKING }), "active");
  check(last({ screen: IDLE }), "idle");
  check(last({ screen: DIALOG }), "waiting_input");
  check(last({ screen: DIALOG }, { do: "submit" }), "waiting_input");
  check(last({ screen: { surface: { type: "other" }, readyPosture: "unknown" } }), null);
  check(last({ screen: WORKING }, { probe: { process: "gone" } }), null);
});

import { z } from "zod";
import {
  createTracker,
  screenSignature,
  type TuiScreen,
  type TuiSignals,
} from "../../../../src/tui/index.ts";
import { ansiScreen } from "../../../../test/support/tui-recordings/index.ts";
import { type CaseReport, compare, notExpressible } from "../../case-report.ts";
import { recognisedFamily } from "../../family.ts";
import { observedFields } from "../../tracking/observed-fields.ts";
import { applyInTime } from "../../tracking/play-samples.ts";
import { compareFields } from "./expected-fields.ts";
import { scriptedProfile } from "./scripted-profile.ts";

const fields = z.record(z.string(), z.unknown());
const caseSchema = z.object({
  id: z.string(),
  /** The version of the rule: ours (`seed`), or a later one of the origin. */
  v: z.enum(["seed", "later"]),
  anchor: z.enum(["absent", "active"]),
  recovery: z.enum(["stale", "final"]),
  /** Seconds. */
  window: z.number(),
  tracker: z.object({ active_reasons: z.array(z.string()) }),
  parse: z.object({ business_state: z.string(), input_mode: z.string() }),
  cycles: z.array(z.object({ t: z.number(), screen: z.string().optional(), expect: fields.optional() })),
});
const ruleSchema = z.object({ a: z.string(), b: z.string(), same: z.boolean() });
const schema = z.object({ cases: z.array(caseSchema), rendered_signature_rules: z.array(ruleSchema) });
type RecoveryCase = z.infer<typeof caseSchema>;

/** A window so long that it never ends in a case of the other recovery. */
const NEVER_MS = 10 ** 9;

/**
 * Cases of the time after which a quiet screen counts as idle, and of the differences that do not count as a change of the
 * screen.
 */
export const tuiRecovery = recognisedFamily(/^houmao_recovery_cases\.json$/, schema, (content) => [
  ...content.cases.flatMap(checkCase),
  ...content.rendered_signature_rules.map(({ a, b, same }) => {
    const isSame = screenSignature(ansiScreen(a).lines) === screenSignature(ansiScreen(b).lines);
    return compare(`signatures of ${JSON.stringify([a, b])}`, same, isSame);
  }),
]);

function checkCase(one: RecoveryCase): CaseReport[] {
  if (one.v === "later")
    return [notExpressible(one.id, "a later rule of the origin, which contradicts ours")];
  const windowMs = one.window * 1_000;
  const tracker = createTracker({
    profile: scriptedProfile(() => signalsOf(one)),
    observedVersion: null,
    profileExtrapolated: false,
    settings: {
      staleActiveRecoveryMs: one.recovery === "stale" ? windowMs : NEVER_MS,
      finalRecoveryMs: one.recovery === "final" ? windowMs : NEVER_MS,
    },
  });
  return one.cycles.flatMap(({ t, screen, expect = {} }, index) => {
    const atMs = t * 1_000;
    if (index === 0 && one.anchor === "active") applyInTime(tracker, { type: "submitted", atMs });
    const state = applyInTime(tracker, { type: "screen", screen: screenOf(screen ?? "unchanged"), atMs });
    const stable = atMs - state.stability.stableSinceMs >= STABILITY_MS;
    const isAnchored = state.turn.isExplicitInputArmed;
    const seen = { ...observedFields(state), stable, anchor: isAnchored ? "active" : "lost" };
    return compareFields(`${one.id} at ${t} s`, "asserted", comparable(expect), seen);
  });
}

/** The published stability threshold of the cases. */
const STABILITY_MS = 1_000;

/** Removes the reason for a lost anchor, which only the origin reports. */
function comparable({
  anchor_loss_reason: _reason,
  ...rest
}: Record<string, unknown>): Record<string, unknown> {
  return rest;
}

/**
 * Translates the evidence of the cases into our signals; their parser adds whether the prompt accepts input. In `final` cases the
 * reason is one that the other recovery must never release.
 */
function signalsOf({ tracker, parse, recovery }: RecoveryCase): TuiSignals {
  const isPromptReady = parse.business_state === "idle" && parse.input_mode === "freeform";
  const isGrowth = tracker.active_reasons.includes("transcript_growth");
  const quietReason = recovery === "final" ? "in_flight_tool_cell" : "spinner_row";
  return {
    surface: { type: isPromptReady ? "composer" : "other" },
    acceptingInput: isPromptReady ? "yes" : "unknown",
    editingInput: "no",
    readyPosture: "no",
    pendingInput: "no",
    activeReasons: [isGrowth ? "transcript_growth" : quietReason],
    ending: null,
    currentError: null,
    evidence: [],
  };
}

function screenOf(text: string): TuiScreen {
  return { ...ansiScreen(text), cellsOf: () => [] };
}

import { z } from "zod";
import type { TrackedState } from "../../../../src/tui/index.ts";
import { ansiScreen } from "../../../../test/support/tui-recordings/index.ts";
import { type CaseReport, compare, notExpressible, observed } from "../../case-report.ts";
import { recognisedFamily } from "../../family.ts";
import { openTracker } from "../../tracking/open-tracker.ts";
import { applyInTime } from "../../tracking/play-samples.ts";

const caseSchema = z.object({
  id: z.string(),
  tool: z.string(),
  lines: z.array(z.string()),
  previous_state: z.string(),
  after_debounce_1500ms: z.boolean(),
  expected: z.enum(["busy", "idle", "waiting_input"]),
});
type CropCase = z.infer<typeof caseSchema>;
const LOOKED_AFTER_MS = 1_500;

/**
 * Short synthetic parts of screens: a question must never count as ready, an idle screen never as active; the other results are
 * only scored.
 */
export const ccmanager = recognisedFamily(
  /^thirdparty_ccmanager_cases\.jsonl$/,
  z.array(caseSchema).min(1),
  (cases) => cases.flatMap(checkCase),
);

function checkCase({ id, tool, lines, expected }: CropCase): CaseReport[] {
  if (tool !== "claude" && tool !== "codex") return [notExpressible(id, `another tool: ${tool}`)];
  const { turn, surface } = lookedAt(tool, lines.join("\n"));
  switch (expected) {
    case "busy":
      return [observed(compare(`${id}: busy`, { phase: "active" }, { phase: turn.phase }))];
    case "idle":
      return [
        compare(`${id}: never active`, false, turn.phase === "active"),
        observed(compare(`${id}: idle`, { phase: "ready" }, { phase: turn.phase })),
      ];
    case "waiting_input": {
      const seen = { acceptingInput: surface.acceptingInput, isAmbiguous: turn.phase === "unknown" };
      return [
        compare(`${id}: never ready`, false, turn.phase === "ready" || surface.readyPosture === "yes"),
        observed(compare(`${id}: waits`, { acceptingInput: "no", isAmbiguous: true }, seen)),
      ];
    }
    default:
      return expected satisfies never;
  }
}

function lookedAt(tool: string, text: string): TrackedState {
  const tracker = openTracker(tool, null);
  applyInTime(tracker, { type: "screen", screen: ansiScreen(text), atMs: 0 });
  return applyInTime(tracker, { type: "screen", screen: ansiScreen(text), atMs: LOOKED_AFTER_MS });
}

import { z } from "zod";
import { ansiScreen } from "../../../../test/support/tui-recordings/index.ts";
import { type CaseReport, compare, notExpressible, observed } from "../../case-report.ts";
import { recognisedFamily } from "../../family.ts";
import { openTracker } from "../../tracking/open-tracker.ts";

const caseSchema = z.object({
  id: z.string(),
  tool: z.string(),
  screen: z.string(),
  expected_initialized: z.boolean().optional(),
  expected_class: z.string().optional(),
});
const schema = z.object({ cases: z.array(caseSchema).min(1) });
type ScreenCase = z.infer<typeof caseSchema>;

/**
 * Screens of tools that are ready, are not ready, or ask a question: a screen that is not ready must never count as ready; the
 * other results are only scored.
 */
export const readinessScreens = recognisedFamily(
  /^thirdparty_readiness_screens\.json$/,
  schema,
  ({ cases }) => cases.map(checkCase),
);

function checkCase({
  id,
  tool,
  screen,
  expected_initialized: isInitialised,
  expected_class: expected,
}: ScreenCase): CaseReport {
  if (tool !== "claude" && tool !== "codex") return notExpressible(id, `another tool: ${tool}`);
  const { turn, surface } = openTracker(tool, null).apply({
    type: "screen",
    screen: ansiScreen(screen),
    atMs: 0,
  });
  const isReady = turn.phase === "ready" || surface.readyPosture === "yes";
  const never = { isReady: false, isAccepting: false };
  const seen = { isReady, isAccepting: surface.acceptingInput === "yes" };
  switch (expected ?? isInitialised) {
    case false:
      return compare(`${id}: never ready`, { isReady: false }, { isReady });
    case "waiting_user_answer":
    case "startup dialog":
      return compare(`${id}: never ready, takes no prompt`, never, seen);
    case "not waiting":
    case "not a dialog":
      return compare(`${id}: no dialog`, false, surface.acceptingInput === "no");
    case true:
    case "idle":
      return observed(compare(`${id}: ready`, true, isReady));
    default:
      return observed(compare(`${id}: not active`, false, turn.phase === "active"));
  }
}

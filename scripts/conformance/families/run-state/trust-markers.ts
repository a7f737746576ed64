import { ansiScreen } from "../../../../test/support/tui-recordings/index.ts";
import { type CaseReport, compare, notExpressible } from "../../case-report.ts";
import { openTracker } from "../../tracking/open-tracker.ts";

/** Checks, for each tool, that a screen with only a startup dialog's markers never accepts a prompt. */
export function checkTrustMarkers(markers: Readonly<Record<string, string | string[]>>): CaseReport[] {
  return Object.entries(markers).map(([name, marks]) => {
    const id = `trust prompt markers: ${name}`;
    if (typeof marks === "string")
      return notExpressible(id, "a prompt counts when its tool has painted it whole, not for one line");
    const [tool = ""] = name.split("_");
    const { turn, surface } = openTracker(tool, null).apply({
      type: "screen",
      screen: ansiScreen(marks.join("\n")),
      atMs: 0,
    });
    const seen = { isReady: turn.phase === "ready", isAccepting: surface.acceptingInput === "yes" };
    return compare(id, { isReady: false, isAccepting: false }, seen);
  });
}

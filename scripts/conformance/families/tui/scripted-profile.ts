import type { DetectorProfile, TuiScreen, TuiSignals } from "../../../../src/tui/index.ts";

/** A detector that sees what it is told to: the machine behind it is what is looked at. */
export function scriptedProfile(signalsOf: (screen: TuiScreen) => TuiSignals): DetectorProfile {
  return {
    family: "scripted",
    name: "scripted",
    floor: null,
    testedBelow: null,
    create: () => ({ detect: signalsOf }),
  };
}

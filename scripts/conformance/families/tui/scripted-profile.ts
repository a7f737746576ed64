import type { DetectorProfile, TuiScreen, TuiSignals } from "../../../../src/tui/index.ts";

/** Returns a detector with scripted signals, for tests of the state machine that uses it. */
export function scriptedProfile(signalsOf: (screen: TuiScreen) => TuiSignals): DetectorProfile {
  return {
    family: "scripted",
    name: "scripted",
    floor: null,
    testedBelow: null,
    create: () => ({ detect: signalsOf }),
  };
}

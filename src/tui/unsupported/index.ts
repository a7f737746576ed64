import type { DetectorProfile } from "../detector.ts";
import type { TuiSignals } from "../signals.ts";

/** H11: nothing can be proven of a tool that nobody has studied. */
const UNPROVEN: TuiSignals = {
  surface: { type: "other" },
  acceptingInput: "unknown",
  editingInput: "unknown",
  readyPosture: "unknown",
  pendingInput: "unknown",
  activeReasons: [],
  ending: null,
  currentError: null,
  evidence: [],
};

export const UNSUPPORTED_PROFILES: readonly DetectorProfile[] = [
  {
    family: "unsupported_tool",
    name: "builtin",
    floor: null,
    testedBelow: null,
    create: () => ({ detect: () => UNPROVEN }),
  },
];

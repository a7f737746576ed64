import type { DetectorProfile } from "../detector.ts";
import { SILENT } from "../silent-signals.ts";

/** H11: nothing can be proven of a tool that nobody has studied. */
export const UNSUPPORTED_PROFILES: readonly DetectorProfile[] = [
  {
    family: "unsupported_tool",
    name: "builtin",
    floor: null,
    testedBelow: null,
    create: () => ({ detect: () => SILENT }),
  },
];

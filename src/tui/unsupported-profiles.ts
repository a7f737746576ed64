import type { DetectorProfile } from "./detector.ts";
import { SILENT } from "./silent-signals.ts";

/** The profile of tools without a detector: it proves nothing (H11). */
export const UNSUPPORTED_PROFILES: readonly DetectorProfile[] = [
  {
    family: "unsupported_tool",
    name: "builtin",
    floor: null,
    testedBelow: null,
    create: () => ({ detect: () => SILENT }),
  },
];

import type { DetectorProfile } from "../detector.ts";
import { OpencodeDetector } from "./opencode-detector.ts";

/** H11: seen on 1.18 only, and tested with too few screens to be sure of any version. */
export const opencodeProfiles: readonly DetectorProfile[] = [
  {
    family: "opencode_tui",
    name: "fallback",
    floor: null,
    testedBelow: null,
    create: () => new OpencodeDetector(),
  },
];

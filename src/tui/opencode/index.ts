import type { DetectorProfile } from "../detector.ts";
import { OpencodeDetector } from "./opencode-detector.ts";

/**
 * The detector profiles of opencode (H11). It was seen on 1.18 only, with too few screens to call any version tested.
 */
export const opencodeProfiles: readonly DetectorProfile[] = [
  {
    family: "opencode_tui",
    name: "fallback",
    floor: null,
    testedBelow: null,
    create: () => new OpencodeDetector(),
  },
];

import type { DetectorProfile } from "../detector.ts";
import { GeminiDetector } from "./gemini-detector.ts";

/** H11: seen on 0.61 only, and tested with too few screens to be sure of any version. */
export const geminiProfiles: readonly DetectorProfile[] = [
  {
    family: "gemini_cli",
    name: "fallback",
    floor: null,
    testedBelow: null,
    create: () => new GeminiDetector(),
  },
];

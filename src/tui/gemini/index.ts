import type { DetectorProfile } from "../detector.ts";
import { GeminiDetector } from "./gemini-detector.ts";

/**
 * The detector profiles of Gemini CLI (H11). It was seen on 0.61 only, with too few screens to call any version
 * tested.
 */
export const geminiProfiles: readonly DetectorProfile[] = [
  {
    family: "gemini_cli",
    name: "fallback",
    floor: null,
    testedBelow: null,
    create: () => new GeminiDetector(),
  },
];

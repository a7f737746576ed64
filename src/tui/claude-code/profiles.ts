import type { DetectorProfile } from "../detector.ts";
import { createClaudeDetector } from "./claude-detector.ts";

/** H6: 2.1.x as tested; anything else is read by the same structure, with drafts unproven where the box is not known. */
export const claudeCodeProfiles: readonly DetectorProfile[] = [
  {
    family: "claude_code",
    name: "2.1.x",
    floor: [2, 1, 0],
    testedBelow: [2, 1, 331],
    create: () => createClaudeDetector({ knowsDrafts: true, hidesSpinner: true }),
  },
  {
    family: "claude_code",
    name: "fallback",
    floor: null,
    testedBelow: null,
    create: () => createClaudeDetector({ knowsDrafts: false, hidesSpinner: false }),
  },
];

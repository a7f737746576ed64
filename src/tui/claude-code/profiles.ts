import type { DetectorProfile } from "../detector.ts";
import { createClaudeDetector } from "./claude-detector.ts";

/**
 * The detector profiles of Claude Code (H6): 2.1.x is tested. Other versions are read by the same structure, and drafts stay
 * unproven if the box is not known.
 */
export const claudeCodeProfiles: readonly DetectorProfile[] = [
  {
    family: "claude_code",
    name: "2.1.x",
    floor: [2, 1, 0],
    testedBelow: [2, 1, 333],
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

import type { DetectorProfile, Version } from "../detector.ts";
import { CodexDetector } from "./codex-detector.ts";
import type { CodexTraits } from "./traits.ts";

interface Range {
  name: string;
  floor: Version | null;
  testedBelow: Version | null;
  traits: CodexTraits;
}

/** The version ranges and their differences (H6). A version between two ranges uses the lower range, extrapolated. */
const RANGES: readonly Range[] = [
  {
    name: "fallback",
    floor: null,
    testedBelow: null,
    traits: {
      canReadText: false,
      keepsWorkingRow: true,
      titleTellsRest: false,
      interruptsSilently: false,
      writesWorkedFor: false,
    },
  },
  {
    name: "0.116.x",
    floor: [0, 116, 0],
    testedBelow: [0, 117, 0],
    traits: {
      canReadText: true,
      keepsWorkingRow: false,
      titleTellsRest: false,
      interruptsSilently: false,
      writesWorkedFor: false,
    },
  },
  {
    name: "0.144.x",
    floor: [0, 144, 0],
    testedBelow: [0, 145, 0],
    traits: {
      canReadText: true,
      keepsWorkingRow: false,
      titleTellsRest: true,
      interruptsSilently: true,
      writesWorkedFor: false,
    },
  },
  {
    name: "0.169.x",
    floor: [0, 169, 0],
    testedBelow: [0, 172, 0],
    traits: {
      canReadText: true,
      keepsWorkingRow: false,
      titleTellsRest: true,
      interruptsSilently: false,
      writesWorkedFor: true,
    },
  },
];

export const codexProfiles: readonly DetectorProfile[] = RANGES.map(
  ({ name, floor, testedBelow, traits }) => ({
    family: "codex_tui",
    name,
    floor,
    testedBelow,
    create: () => new CodexDetector(traits),
  }),
);

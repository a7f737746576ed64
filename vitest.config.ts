import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest, the longest first. */
const LONG = [
  "triage/batch/lost-exchanges",
  "journeys/local-batch",
  "sweep/sweep",
  "fleet/fleet-command",
  "journeys/coder-batch",
  "journeys/controlled-batch",
  "chaos/chaos",
  "evidence/python-layer",
  "evidence/same-cause/same-cause-in-place",
  "triage/batch/range",
  "journeys/crash-matrix",
  "journeys/backtest-limits",
  "demo/triage-agent",
  "triage/batch/place",
  "journeys/stopped-batch",
  "evidence-packages/own-scripts",
  "fleet/load",
  "triage/batch/triage-agents",
  "triage/batch/stored-reproductions",
  "release/prep",
  "workspaces/coder-contract",
  "journeys/killed-after-outcome",
  "triage/batch/inspection",
  "journeys/board-follow-ups",
  "release/finalize",
  "workspaces/coder-terminal",
  "triage/batch/native-suggestions",
  "board/page-axe",
  "board/page-views",
  "triage/batch/coder-faults",
  "evidence/javascript-layer",
];

/** Starts the longest files first: one that starts last keeps a single worker busy while the others have nothing to do. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONG.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return index === -1 ? LONG.length : index;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Real PTYs, processes and HTTP servers: a hung one must fail, not stall the run. A first hook may wait for the one build.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    retry: 0,
    // Files of one worker share modules: loading them anew for every file took a fifth of the run. No module keeps state that
    // a test changes, and hooks are registered by the test file itself.
    isolate: false,
    // Twice the cores of CI: with three workers, the processors were idle for two fifths of the run.
    maxWorkers: 4,
    // V8 makes bytecode of a regular expression first, which takes a worker longer than machine code at once. The 621 tests of
    // github, runs, tui, two files of batch and two of board took 70 instead of 82 s of processor time.
    execArgv: ["--no-regexp-tier-up"],
    sequence: { sequencer: LongestFirst },
    globalSetup: [
      "test/support/spread-directories.ts",
      "test/support/leak-check.ts",
      "test/support/one-build.ts",
      "test/support/python-without-shim.ts",
      "test/support/without-extra-certificates.ts",
    ],
    setupFiles: ["test/support/seed-properties.ts"],
  },
});

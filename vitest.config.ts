import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest, the longest first. */
const LONG = [
  "sweep/sweep",
  "evidence/same-cause/same-cause-in-place",
  "fleet/fleet-command",
  "journeys/local-batch",
  "evidence-packages/own-scripts",
  "workspaces/coder-terminal",
  "triage/batch/triage-agents",
  "sweep/late-close",
  "triage/batch/lost-exchanges",
  "evidence/python-layer",
  "triage/batch/stored-reproductions",
  "fleet/takeover",
  "chaos/chaos",
  "journeys/coder-batch",
  "triage/batch/proven-duplicates",
  "journeys/controlled-batch",
  "fleet/postgres-queue",
  "demo/triage-agent",
  "triage/batch/range",
  "journeys/stopped-batch",
  "triage/batch/place",
  "release/prep",
  "evidence/javascript-layer-of-calls",
  "tui/driver/drive-turn",
  "fleet/load",
  "triage/batch/script-files",
  "triage/batch/verification",
  "board/page-axe",
  "journeys/whole-demo",
  "agent-tty/detached/host-process",
  "evidence/range/range-in-place",
  "evidence/javascript-layer",
  "sweep/security-reports",
  "journeys/crash-matrix",
  "triage/batch/coder-faults",
  "board/batch-beside",
  "journeys/board-follow-ups",
  "board/page-views",
  "board/page-live",
  "board/page-report",
  "github/github-app",
  "fleet/records",
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

/**
 * Lets the tests load packages as `npm run build` bundles them. By default vitest takes the builds for development, whose checks
 * made the tests of github, comments, quarantine and attacks take 37 instead of 34 s of processor time.
 */
const asPublished: Plugin = {
  name: "as-published",
  configResolved: ({ ssr, environments }) => {
    for (const { resolve } of [ssr, ...Object.values(environments)]) {
      const { conditions = [] } = resolve ?? {};
      const index = conditions.indexOf("development|production");
      if (index !== -1) conditions.splice(index, 1);
    }
  },
};

export default defineConfig({
  plugins: [asPublished],
  test: {
    include: ["test/**/*.test.ts"],
    // Real PTYs, processes and HTTP servers: a hung one must fail, not stall the run. A first hook may wait for the one build.
    testTimeout: 180_000,
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

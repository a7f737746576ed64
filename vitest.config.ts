import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest, the longest first. */
const LONG = [
  "fleet/fleet-command",
  "workspaces/coder-terminal",
  "sweep/sweep",
  "evidence/same-cause/same-cause-in-place",
  "journeys/local-batch",
  "evidence/python-layer",
  "triage/batch/lost-exchanges",
  "triage/batch/triage-agents",
  "evidence-packages/own-scripts",
  "fleet/takeover",
  "chaos/chaos",
  "journeys/coder-batch",
  "journeys/controlled-batch",
  "fleet/postgres-queue",
  "sweep/late-close",
  "evidence/javascript-layer-of-calls",
  "triage/batch/script-files",
  "journeys/stopped-batch",
  "journeys/whole-demo",
  "demo/triage-agent",
  "cli/output",
  "release/prep",
  "board/page-axe",
  "journeys/board-follow-ups",
  "triage/batch/stored-reproductions",
  "agent-tty/detached/host-process",
  "evidence/range/range-in-place",
  "board/batch-beside",
  "triage/batch/verification",
  "board/page-live",
  "triage/batch/place",
  "board/page-views",
  "triage/batch/proven-duplicates",
  "evidence/javascript-layer",
  "triage/batch/autonomy",
  "agent-tty/shells",
  "board/page-report",
  "fleet/records",
  "triage/batch/range",
  "journeys/crash-matrix",
  "fleet/load",
  "board/page-usable",
  "triage/batch/coder-faults",
  "github/github-app",
  "board/page-recording",
  "tui/driver/drive-turn",
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

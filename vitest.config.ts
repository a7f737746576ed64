import { defineConfig } from "vitest/config";

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
    // One more than the cores of CI: a third of the time the tests wait for processes of their own.
    maxWorkers: 3,
    globalSetup: ["test/support/leak-check.ts", "test/support/one-build.ts"],
    setupFiles: ["test/support/seed-properties.ts"],
  },
});

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Real PTYs, processes and HTTP servers: a hung one must fail, not stall the run.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    retry: 0,
    // Files of one worker share modules: loading them anew for every file took a fifth of the run. No module keeps state that
    // a test changes, and hooks are registered by the test file itself.
    isolate: false,
    // Two cores: more workers only make the real processes inside the tests wait for each other.
    maxWorkers: 2,
    globalSetup: ["test/support/leak-check.ts", "test/support/one-build.ts"],
    setupFiles: ["test/support/seed-properties.ts"],
  },
});

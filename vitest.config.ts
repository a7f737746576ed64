import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Real PTYs, processes and HTTP servers: a hung one must fail, not stall the run.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    retry: 0,
    // Two cores: more workers only make the real processes inside the tests wait for each other.
    maxWorkers: 2,
    globalSetup: ["test/support/leak-check.ts"],
    setupFiles: ["test/support/seed-properties.ts"],
  },
});

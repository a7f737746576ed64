/**
 * Usage: `npm run test:coder`. Tests the contract of Coder workspaces on a real Coder deployment. It creates and deletes about
 * twenty Coder workspaces, one after the other.
 *
 * CODER_URL, CODER_SESSION_TOKEN: the deployment, and the token of the user who owns the Coder workspaces.
 * AFK_TEST_CODER_TEMPLATE: a template with the lease parameters. AFK_TRIAGE_CODER_BIN: the `coder` executable (default `coder`).
 */
import { join } from "node:path";

const NEEDED = {
  CODER_URL: "the address of the Coder deployment",
  CODER_SESSION_TOKEN: "a token of the user who is to own the Coder workspaces (`coder tokens create`)",
  AFK_TEST_CODER_TEMPLATE:
    "the name of a template with the parameters run_id, issue_number, repo_url, afk_parent and afk_lease_seconds",
};

const missing = Object.entries(NEEDED).filter(([name]) => (process.env[name] ?? "") === "");
if (missing.length > 0) {
  const lines = missing.map(([name, meaning]) => `  ${name}: ${meaning}`);
  process.stderr.write(
    `test:coder needs a Coder deployment; not set in the environment:\n${lines.join("\n")}\n`,
  );
  process.exit(2);
}

const BUILD_AND_DELETE_MS = 20 * 60_000;

// The test runner is imported first, because it takes longest to load.
const { startVitest } = await import("vitest/node");
const vitest = await startVitest("test", [], {
  config: false,
  root: join(import.meta.dirname, ".."),
  include: ["test/workspaces/*.deployment.ts"],
  globalSetup: ["test/support/leak-check.ts", "test/support/one-build.ts"],
  testTimeout: BUILD_AND_DELETE_MS,
  maxWorkers: 1,
  watch: false,
});
await vitest.close();

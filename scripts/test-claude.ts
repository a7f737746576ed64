/**
 * `npm run test:claude`: installs the real Claude Code outside the lock file and drives it through whole triages against a
 * scripted model on loopback. Needs the npm registry once and about 300 MB; no account.
 *
 * AFK_TEST_CLAUDE_CACHE: where it is installed (default node_modules/.cache/afk-triage/claude-code-<version>).
 */
import { join } from "node:path";
import { startVitest } from "vitest/node";
import { installClaudeCode } from "./install-claude-code.ts";

const ROOT = join(import.meta.dirname, "..");

process.env["AFK_TEST_CLAUDE_PROGRAM"] = await installClaudeCode();

const vitest = await startVitest("test", [], {
  config: false,
  root: ROOT,
  include: ["test/claude/**/*.claude.ts"],
  globalSetup: ["test/support/leak-check.ts"],
  testTimeout: 120_000,
  // A TUI starts slowly on two cores; one real binary at a time is enough.
  maxWorkers: 1,
  watch: false,
});
await vitest.close();

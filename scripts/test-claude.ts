/**
 * `npm run test:claude`: installs the real Claude Code outside the lock file and drives it through whole triages against a
 * scripted model on loopback. It needs the npm registry once and about 300 MB, but no account. `-- --version 2.1.330` selects
 * another version than the one in the Coder workspace image, `-- --version latest` the newest.
 */
import { join } from "node:path";
import { startVitest } from "vitest/node";
import { DEFAULT_VERSIONS, installTool, resolveVersion } from "./install-tool.ts";
import { scriptArguments } from "./script-arguments.ts";

const ROOT = join(import.meta.dirname, "..");

const { values } = scriptArguments(import.meta.url, {
  options: { version: { type: "string", default: DEFAULT_VERSIONS.claude } },
});
const installed = await installTool("claude", await resolveVersion("claude", values.version));
process.env["AFK_TEST_CLAUDE_PROGRAM"] = installed.program;
process.stdout.write(`drives Claude Code ${installed.version}\n`);

const vitest = await startVitest("test", [], {
  config: false,
  root: ROOT,
  include: ["test/claude/**/*.claude.ts"],
  globalSetup: ["test/support/leak-check.ts"],
  testTimeout: 120_000,
  // A TUI starts slowly on two cores, so only one real binary runs at a time.
  maxWorkers: 1,
  watch: false,
});
await vitest.close();

/**
 * `npm run test:claude`: installs the real Claude Code outside the lock file and drives it through whole triages against a
 * scripted model on loopback. Needs the npm registry once and about 300 MB; no account.
 *
 * AFK_TEST_CLAUDE_CACHE: where it is installed (default node_modules/.cache/afk-triage/claude-code-<version>).
 */
import { access, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { startVitest } from "vitest/node";

const VERSION = "2.1.197";
const ROOT = join(import.meta.dirname, "..");

const cache =
  process.env["AFK_TEST_CLAUDE_CACHE"] ??
  join(ROOT, "node_modules", ".cache", "afk-triage", `claude-code-${VERSION}`);
process.env["AFK_TEST_CLAUDE_PROGRAM"] = await installClaudeCode(cache);

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

async function installClaudeCode(directory: string): Promise<string> {
  const program = join(directory, "node_modules", ".bin", "claude");
  if (!(await runs(program))) {
    await mkdir(directory, { recursive: true });
    const options = ["--no-save", "--no-audit", "--no-fund", "--no-package-lock", "--prefix", directory];
    await execa("npm", ["install", ...options, `@anthropic-ai/claude-code@${VERSION}`], {
      cwd: directory,
      stdio: "inherit",
    });
  }
  const { stdout } = await execa(program, ["--version"]);
  if (!stdout.startsWith(VERSION))
    throw new Error(`${program} is ${stdout}, not ${VERSION}: remove ${directory}`);
  return program;
}

async function runs(program: string): Promise<boolean> {
  return access(program).then(
    () => true,
    () => false,
  );
}

import { access, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";

const VERSION = "2.1.197";
const ROOT = join(import.meta.dirname, "..");

/**
 * The real Claude Code, outside the lock file; gives its program. Needs the npm registry once and about 300 MB.
 *
 * AFK_TEST_CLAUDE_CACHE: where it is installed (default node_modules/.cache/afk-triage/claude-code-<version>).
 */
export async function installClaudeCode(): Promise<string> {
  const directory =
    process.env["AFK_TEST_CLAUDE_CACHE"] ??
    join(ROOT, "node_modules", ".cache", "afk-triage", `claude-code-${VERSION}`);
  const program = join(directory, "node_modules", ".bin", "claude");
  if (!(await exists(program))) {
    await mkdir(directory, { recursive: true });
    const options = ["--no-save", "--no-audit", "--no-fund", "--no-package-lock", "--prefix", directory];
    await execa("npm", ["install", ...options, `@anthropic-ai/claude-code@${VERSION}`], {
      cwd: directory,
      stdout: process.stderr,
      stderr: "inherit",
    });
  }
  const { stdout } = await execa(program, ["--version"]);
  if (!stdout.startsWith(VERSION))
    throw new Error(`${program} is ${stdout}, not ${VERSION}: remove ${directory}`);
  return program;
}

async function exists(program: string): Promise<boolean> {
  return access(program).then(
    () => true,
    () => false,
  );
}

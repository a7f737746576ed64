import { access, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import type { Tool } from "./scenario.ts";

const CACHE = join(import.meta.dirname, "../../node_modules/.cache/afk-triage");
const PACKAGES = {
  claude: { npm: "@anthropic-ai/claude-code", directory: "claude-code", bin: "claude" },
  codex: { npm: "@openai/codex", directory: "codex", bin: "codex" },
} as const;

export interface InstalledTool {
  program: string;
  /** As the tool tells it. */
  version: string;
}

/** One version of a real CLI from the npm registry, outside the lock file; kept for the next recording. Needs up to 500 MB. */
export async function installTool(tool: Tool, version: string): Promise<InstalledTool> {
  const { npm, directory, bin } = PACKAGES[tool];
  const prefix = join(CACHE, `${directory}-${version}`);
  const program = join(prefix, "node_modules", ".bin", bin);
  if (!(await exists(program))) {
    await mkdir(prefix, { recursive: true });
    const options = ["--no-save", "--no-audit", "--no-fund", "--no-package-lock", "--prefix", prefix];
    await execa("npm", ["install", ...options, `${npm}@${version}`], {
      cwd: prefix,
      stdout: process.stderr,
      stderr: "inherit",
    });
  }
  const { stdout } = await execa(program, ["--version"]);
  const told = stdout.trim();
  if (!told.includes(version)) throw new Error(`${program} is ${told}, not ${version}: remove ${prefix}`);
  return { program, version: told };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

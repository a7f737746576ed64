import { access, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";

/** The coding TUIs that the project installs from npm, outside the lock file, to record or to drive them. */
export type Tool = "claude" | "codex" | "gemini" | "opencode";

/** The default versions of the tools. Claude Code has the same version in coder/image/Dockerfile. */
export const DEFAULT_VERSIONS: Readonly<Record<Tool, string>> = {
  claude: "2.1.197",
  codex: "0.169.0",
  gemini: "0.61.0",
  opencode: "1.18.33",
};

const CACHE = join(import.meta.dirname, "../node_modules/.cache/afk-triage");
const PACKAGES: Readonly<Record<Tool, { npm: string; directory: string; bin: string }>> = {
  claude: { npm: "@anthropic-ai/claude-code", directory: "claude-code", bin: "claude" },
  codex: { npm: "@openai/codex", directory: "codex", bin: "codex" },
  gemini: { npm: "@google/gemini-cli", directory: "gemini-cli", bin: "gemini" },
  opencode: { npm: "opencode-ai", directory: "opencode", bin: "opencode" },
};

export interface InstalledTool {
  program: string;
  /** The version that the tool itself prints. */
  version: string;
}

/**
 * Installs one version of a real CLI from the npm registry, and keeps it for later runs. Needs up to 500 MB. Rejects if the
 * program prints another version.
 */
export async function installTool(tool: Tool, version = DEFAULT_VERSIONS[tool]): Promise<InstalledTool> {
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

/** Returns the version itself, or for `latest` the version that the npm registry currently gives that tag. */
export async function resolveVersion(tool: Tool, version: string): Promise<string> {
  if (version !== "latest") return version;
  const { stdout } = await execa("npm", ["view", `${PACKAGES[tool].npm}@latest`, "version"]);
  return stdout.trim();
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const SETTINGS = join(import.meta.dirname, "..", "..", "coder", "image", "managed-settings.json");
const POLICY = "/etc/claude-code";
/** The test needs root to mount a file system of its own, and a machine without managed Claude Code settings. */
const CAN_MOUNT = process.getuid?.() === 0 && !existsSync(POLICY) && canUnshare();

test.runIf(CAN_MOUNT)(
  "the image's rules alone prevent a checkout's hooks and MCP servers from running; without the rules they run (S12)",
  async () => {
    expect(await whatRan(null)).toEqual(["hook", "server"]);
    expect(await whatRan(SETTINGS)).toEqual([]);
  },
);

/** Returns the programs of a hostile checkout that ran. Claude Code is started without the flags that would also prevent them. */
async function whatRan(settings: string | null): Promise<string[]> {
  await using directory = await temporaryDirectory();
  const path = (name: string): string => join(directory.path, name);
  const run = (name: string) => ({ command: `touch ${path(name)}` });
  const hooks = { SessionStart: [{ hooks: [{ type: "command", ...run("hook") }] }] };
  await mkdir(path(".claude"));
  await mkdir(path("home"));
  await writeFile(path(".claude/settings.json"), JSON.stringify({ hooks, enableAllProjectMcpServers: true }));
  const server = { command: "sh", args: ["-c", run("server").command] };
  await writeFile(path(".mcp.json"), JSON.stringify({ mcpServers: { server } }));
  await mkdir(POLICY);
  try {
    const install = settings === null ? "" : `cp ${settings} ${POLICY}/ && `;
    const claude = `${process.env["AFK_TEST_CLAUDE_PROGRAM"]} --print --permission-mode dontAsk hello </dev/null`;
    await execa(
      "unshare",
      ["--mount", "sh", "-c", `mount -t tmpfs tmpfs ${POLICY} && ${install}exec ${claude}`],
      {
        cwd: directory.path,
        reject: false,
        extendEnv: false,
        // Nothing listens on this address, which is enough: hooks and servers start before the first request to the model.
        env: {
          PATH: process.env["PATH"] ?? "",
          HOME: path("home"),
          AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "",
          ANTHROPIC_API_KEY: "sk-none",
          ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
          CLAUDE_CODE_MAX_RETRIES: "0",
        },
      },
    );
  } finally {
    await rmdir(POLICY);
  }
  return ["hook", "server"].filter((name) => existsSync(path(name)));
}

function canUnshare(): boolean {
  try {
    execFileSync("sh", ["-c", "unshare --mount true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

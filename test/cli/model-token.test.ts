import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runInProcess } from "../support/cli/run-in-process.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test.each(["CODER_SESSION_TOKEN", "AFK_TRIAGE_GATEWAY_TOKEN"])(
  "run refuses to pass %s to the Triage Agent as its model's credential",
  async (variable) => {
    await using directory = await temporaryDirectory();
    const config = join(directory.path, "machine.yml");
    await writeFile(config, "triageAgent: { env: { ANTHROPIC_AUTH_TOKEN: a-token-of-the-parent } }\n");
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: directory.path,
      GITHUB_TOKEN: "a-github-token-of-this-test",
      CODER_URL: "http://127.0.0.1:9",
      CODER_SESSION_TOKEN: "another-token-of-the-parent",
      AFK_TRIAGE_CONFIG: config,
      [variable]: "a-token-of-the-parent",
    };
    const told = await runInProcess(["run", "--repo", "o/r"], { cwd: directory.path, env });
    expect([told.exitCode, told.stderr]).toEqual([
      4,
      expect.stringContaining("triageAgent.env.ANTHROPIC_AUTH_TOKEN is a Coder token of the parent"),
    ]);
    expect(told.stderr).not.toContain("a-token-of-the-parent");
  },
);

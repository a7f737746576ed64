import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { remoteBash } from "../../src/workspaces/coder/terminal/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test("on Coder, too, what the parent runs reads no start file that a Triage Agent left (S12)", async () => {
  await using home = await temporaryDirectory();
  const poison = join(home.path, "poison.sh");
  for (const name of [".bashrc", ".bash_profile", ".profile", "poison.sh"])
    await writeFile(join(home.path, name), "echo poisoned\n");
  // This is how the Coder workspace agent starts it: as an SSH session, with a login shell that reads no start file.
  const env = {
    HOME: home.path,
    PATH: process.env["PATH"],
    SSH_CLIENT: "10.0.0.1 50000 22",
    BASH_ENV: poison,
    ENV: poison,
    AFK_TEST_RUN: process.env["AFK_TEST_RUN"],
  };
  const run = async (commandLine: string): Promise<string> =>
    (await execa("sh", ["-c", commandLine], { extendEnv: false, env })).stdout;
  expect(await run("bash -c 'printf unguarded'")).toContain("poisoned");
  const script = `printf '%s|' "$0" "$1"; bash -c 'printf "it'"'"'s inner"'`;
  expect(await run(remoteBash(script, ["afk", 7]))).toBe("afk|7|it's inner");
});

import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

test("H4: the recorder names its scenarios, and what cannot be recorded is a usage error", async () => {
  const { exitCode, stdout } = await recordTui("--list");
  expect(exitCode).toBe(0);
  for (const name of ["two_turns", "perm_accept", "int_stream", "err_529_recover", "startup_trust"])
    expect(stdout).toMatch(new RegExp(`^${name} {2,}\\S`, "m"));
  const refused = await recordTui("--tool", "codex", "--scenario", "queued", "--out", "nowhere");
  expect([refused.exitCode, refused.stdout, refused.stderr]).toEqual([
    2,
    "",
    "record:tui: codex has no scenario queued; --list names them",
  ]);
  expect((await recordTui("--scenario", "two_turns")).exitCode).toBe(2);
});

function recordTui(...argv: string[]): Promise<{ exitCode?: number; stdout: string; stderr: string }> {
  const program = ["--import", "tsx", join(ROOT, "scripts/record-tui.ts")];
  return execa(process.execPath, [...program, ...argv], { cwd: ROOT, reject: false });
}

import { expect, test } from "vitest";
import { type Ended, runScript } from "./run-script.ts";

test("the recorder lists its scenarios, and a scenario that cannot be recorded is a usage error (H4)", async () => {
  const { exitCode, stdout } = await recordTui("--list");
  expect(exitCode).toBe(0);
  for (const name of ["two_turns", "perm_accept", "int_stream", "err_529_recover", "startup_trust"])
    expect(stdout).toMatch(new RegExp(`^${name} {2,}\\S`, "m"));
  const refused = await recordTui("--tool", "codex", "--scenario", "queued", "--out", "nowhere");
  expect([refused.exitCode, refused.stdout, refused.stderr]).toEqual([
    2,
    "",
    "record:tui: codex has no scenario queued; --list names them\n",
  ]);
  expect((await recordTui("--scenario", "two_turns")).exitCode).toBe(2);
});

function recordTui(...argv: string[]): Promise<Ended> {
  return runScript("record-tui/command-line.ts", "recordTui", argv);
}

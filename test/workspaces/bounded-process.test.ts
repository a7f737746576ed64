import { type Clock, systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import { runBounded } from "../../src/workspaces/bounded-process.ts";

/** A clock as if this process had been suspended for longer than it waits for the pipes of a program that has ended. */
const late: Clock = {
  ...systemClock,
  schedule: (durationMs, action) => {
    if (durationMs > 1_000) return systemClock.schedule(durationMs, action);
    action();
    return { [Symbol.dispose]: () => undefined };
  },
};

test("a program's output before its end is read, however late it arrives (A29)", async () => {
  for (let time = 0; time < 50; time += 1) {
    const end = await runBounded(
      {
        command: ["bash", "--norc", "-c", "printf written"],
        cwd: "/",
        env: { PATH: process.env["PATH"] ?? "" },
        timeoutMs: 20_000,
        maxOutputBytes: 1_000,
        terminationGraceMs: 2_000,
      },
      late,
    );
    expect(end).toMatchObject({ type: "exited", exitCode: 0, stdout: Buffer.from("written") });
  }
});

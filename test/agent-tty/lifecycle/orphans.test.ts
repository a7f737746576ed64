import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { engine } from "../engine-fixture.ts";

/** A zombie that was not reaped yet counts as dead. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

const STUBBORN = "echo $$ > pid.new; mv pid.new pid; trap '' HUP TERM; sleep 100";
const AWAIT_IT = "while [ ! -e pid ]; do sleep 0.02; done; echo left";

test.runIf(process.platform === "linux").each([
  ["while the program runs", `setsid sh -c "$0" & ${AWAIT_IT}; sleep 100`],
  ["after its natural exit", `setsid sh -c "$0" & ${AWAIT_IT}; exit 0`],
  ["forked twice", `(setsid sh -c 'setsid sh -c "$0" & exit' "$0" &); ${AWAIT_IT}; exit 0`],
])("destroy kills a process that left the terminal's session, %s (L11)", async (_, script) => {
  await using started = await engine();
  const session = await started.create({ command: ["sh", "-c", script, STUBBORN] });
  await session.wait({ text: "left" }, { callerTimeoutMs: 20_000 });
  if (script.endsWith("exit 0")) await session.exited;
  const pid = Number(readFileSync(join(started.directory, "pid"), "utf8"));
  expect(isAlive(pid)).toBe(true);
  await session.destroy();
  expect(isAlive(pid)).toBe(false);
});

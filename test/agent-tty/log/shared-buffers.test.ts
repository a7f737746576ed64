import { readEvents, type Session } from "agent-tty";
import { expect, test } from "vitest";
import { engine, PATIENT } from "../engine-fixture.ts";

const KIB = 1024;

test("Sessions of one process that print at the same time each log their own output (A6)", async () => {
  await using started = await engine();
  const sessions = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      started.create({ command: ["seq", "-f", `Session ${index} line %g`, "20000"] }),
    ),
  );
  await Promise.all(sessions.map((session) => session.exited));
  for (const [index, session] of sessions.entries()) {
    const lines = Array.from({ length: 20_000 }, (_, line) => `Session ${index} line ${line + 1}\r\n`);
    expect((await outputOf(session)) === lines.join("")).toBe(true);
  }
}, 30_000);

test("a Session that waits after it printed keeps no buffers of 64 KiB (P11)", async () => {
  await using started = await engine();
  const waiting = async (): Promise<Session> => {
    const session = await started.create({ command: ["sh", "-c", "echo ready; exec cat"] });
    await session.wait({ text: "ready" }, PATIENT);
    return session;
  };
  await waiting();
  const before = process.memoryUsage().arrayBuffers;
  const count = 16;
  for (let made = 0; made < count; made += 1) await waiting();
  // The Session's screen alone takes about 75 KiB.
  expect((process.memoryUsage().arrayBuffers - before) / count).toBeLessThan(150 * KIB);
}, 30_000);

async function outputOf(session: Session): Promise<string> {
  let output = "";
  for await (const { bytes } of readEvents(session.directory)) output += bytes.toString("latin1");
  return output;
}

import { expect, test } from "vitest";
import { engine, PATIENT } from "../engine-fixture.ts";

test("SIGTERM ends a program that does not ignore it (L12)", async () => {
  await using started = await engine();
  const session = await started.create({ command: ["sh", "-c", "echo listening; exec cat"] });
  await session.wait({ text: "listening" }, PATIENT);
  await session.signal("SIGTERM");
  expect(await session.exited).toEqual({ type: "signal", signal: "SIGTERM" });
});

test("destroy ends a program that ignores SIGTERM and SIGHUP with SIGKILL after a grace period (L12)", async () => {
  await using started = await engine();
  const script = "trap '' TERM HUP; echo deaf; while :; do sleep 1; done";
  const session = await started.create({ command: ["sh", "-c", script] });
  await session.wait({ text: "deaf" }, PATIENT);
  await session.signal("SIGTERM");
  expect(session.status()).toBe("running");
  await session.destroy();
  expect(await session.exited).toEqual({ type: "signal", signal: "SIGKILL" });
});

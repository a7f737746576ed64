import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type DoctorPorts, examineInstallation, openHomeRegistry, type SpawnPty } from "agent-tty";
import { systemClock } from "agent-tty/kit";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { type Engine, engine } from "../engine-fixture.ts";

/** Simulates a program that ends with code 0, without a terminal. */
const spawned: SpawnPty = (_, listener) => {
  queueMicrotask(() => listener.exit({ type: "code", code: 0 }));
  return {} as ReturnType<SpawnPty>;
};

const portsOf = (started: Engine): DoctorPorts => ({
  home: { type: "opened", home: started.home },
  clock: systemClock,
  nodeVersion: "v20.19.0",
  registry: openHomeRegistry(systemClock, join(started.directory, ".agent-tty")),
  spawn: spawned,
  freeBytes: () => Promise.resolve(10 ** 9),
});

test("doctor reports no problem on a complete machine (P2)", async () => {
  await using started = await engine();
  const session = await started.create({ command: ["cat"] });
  const checks = await examineInstallation(portsOf(started));
  const ours = checks.filter(({ name }) => name !== "leftovers");
  expect(ours.map(({ name, status }) => [name, status])).toEqual(
    ["node", "pty", "home", "home-registry", "disk"].map((name) => [name, "ok"]),
  );
  expect(checks.find(({ name }) => name === "leftovers")?.detail).not.toContain(session.id);
});

test("doctor reports each failure with its remedy (P2)", async () => {
  await using started = await engine();
  const check = async (change: Partial<DoctorPorts>, name: string, remedy: RegExp): Promise<void> => {
    const checks = await examineInstallation({ ...portsOf(started), ...change });
    const found = checks.find((one) => one.name === name);
    expect(found).toMatchObject({ status: "failed" });
    expect(found?.status === "failed" ? found.remedy : "").toMatch(remedy);
  };
  await check({ nodeVersion: "v18.20.1" }, "node", /install Node 20\.19/);
  await check({ freeBytes: () => Promise.resolve(1_000) }, "disk", /agent-tty gc --home \S*\/home$/);
  await check({ home: { type: "refused", reason: "a link", remedy: "--home" } }, "home", /--home/);
  const broken: SpawnPty = () => {
    throw new Error("Cannot find module pty.node");
  };
  await check({ spawn: broken }, "pty", /npm ci/);
  const unusable = openHomeRegistry(systemClock, "/dev/null/.agent-tty");
  await check({ registry: unusable }, "home-registry", /directory of your own/);
});

describe.runIf(process.platform === "linux")("leftovers", () => {
  const leftoversOf = async (started: Engine) =>
    (await examineInstallation(portsOf(started))).find(({ name }) => name === "leftovers");

  test("doctor reports an orphan whose Session is in no known home (P2)", async () => {
    await using started = await engine();
    const id = started.home.ids.ulid();
    const env = { ...started.env, AGENT_TTY_SESSION_ID: id };
    const { stdout: pid } = await execa("sh", ["-c", "sleep 60 >/dev/null 2>&1 & echo $!"], {
      env,
      extendEnv: false,
    });
    try {
      const found = await leftoversOf(started);
      expect(found).toMatchObject({ status: "failed" });
      expect(found?.detail).toContain(`${pid} (of Session ${id})`);
    } finally {
      process.kill(Number(pid));
    }
  });

  test("doctor never suggests ending a Session in a home that it does not know (S17)", async () => {
    await using started = await engine();
    await using elsewhere = await engine();
    const session = await elsewhere.create({ command: ["sh", "-c", "sleep 60 & echo ready; cat"] });
    await session.wait({ text: "ready" }, { callerTimeoutMs: 20_000 });
    expect((await leftoversOf(started))?.detail).not.toContain(session.id);
  });
});

test("the list of homes is private to the user, and entries can be removed (S17)", async () => {
  await using started = await engine();
  const directory = join(started.directory, ".agent-tty");
  const registry = openHomeRegistry(systemClock, directory);
  expect(await registry.list()).toEqual([]);
  await Promise.all(["/one", "/two", "/one/"].map((home) => registry.remember(home)));
  expect((await registry.list()).map((entry) => entry.directory).toSorted()).toEqual(["/one", "/two"]);
  expect([await registry.forget("/one"), await registry.forget("/one")]).toEqual([true, false]);
  expect((await registry.list()).map((entry) => entry.directory)).toEqual(["/two"]);
  expect((await stat(join(directory, "homes"))).mode & 0o777).toBe(0o700);
});

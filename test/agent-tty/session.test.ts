import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSession, nodePtySpawner, openHome, type SessionSpec, type SpawnPty } from "agent-tty";
import { type Clock, systemClock } from "agent-tty/kit";
import { describe, expect, test } from "vitest";
import { engine, PATIENT } from "./engine-fixture.ts";

const isAlive = (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/stat`, "utf8").then(
    (text) => !/^\d+ \(.*\) [ZX]/s.test(text),
    () => false,
  );

describe("creating a Session", () => {
  test("a missing program or directory is a typed error and leaves nothing behind (A1)", async () => {
    await using started = await engine();
    const check = async (spec: Partial<SessionSpec>, code: string): Promise<void> => {
      const { home, directory: cwd, env } = started;
      const attempt = createSession(home, { command: ["true"], cwd, env, ...spec });
      await expect(attempt).rejects.toMatchObject({ code });
      expect(await readdir(join(home.directory, "sessions"))).toEqual([]);
    };
    await check({ command: ["no-such-program"] }, "SPAWN_PROGRAM_MISSING");
    await check({ command: ["./no-such-program"] }, "SPAWN_PROGRAM_MISSING");
    await check({ command: ["/etc/passwd"] }, "SPAWN_PROGRAM_MISSING");
    await check({ env: {} }, "SPAWN_PROGRAM_MISSING");
    const script = join(started.directory, "script");
    await writeFile(script, "#!/no/such/interpreter\n", { mode: 0o700 });
    await check({ command: [script] }, "SPAWN_PROGRAM_MISSING");
    await check({ env: { ...started.env, LONG: "x".repeat(8 * 1024 ** 2) } }, "SPAWN_FAILED");
    await check({ cwd: "/no/such/directory" }, "SPAWN_DIRECTORY_MISSING");
    await check({ cols: 0 }, "INVALID_INPUT");
    await check({ rows: 100_000 }, "INVALID_INPUT");
  });

  test("the child has its own environment and nothing of the host's (S8, A1)", async () => {
    await using started = await engine();
    process.env["CANARY_OF_THE_HOST"] = "canary";
    const session = await started.create({
      command: ["env"],
      env: { ...started.env, OWN: "value" },
      term: "vt220",
    });
    delete process.env["CANARY_OF_THE_HOST"];
    await session.exited;
    const lines = (await session.snapshot()).visibleLines;
    expect(lines).toContain("OWN=value");
    expect(lines).toContain("TERM=vt220");
    expect(lines.filter((line) => line.includes("canary"))).toEqual([]);
  });

  test("a shell does not inherit the terminal of another Session (S10)", async () => {
    await using started = await engine();
    await started.create({ command: ["cat"] });
    const session = await started.bash();
    const result = await session.run("ls -l /proc/$$/fd", PATIENT);
    expect(await session.readOutput(result.output, 10_000)).not.toContain("ptmx");
  });
});

describe("how a Session ends", () => {
  test("a Session reports the exit code or signal after the last output (A2, A16)", async () => {
    await using started = await engine();
    const check = async (script: string, exit: object): Promise<void> => {
      const session = await started.create({ command: ["bash", "-c", script] });
      expect(await session.exited).toEqual(exit);
      expect(session.status()).toBe("exited");
      expect((await session.snapshot()).visibleLines).toContain("last");
      expect(await started.home.readManifest(session.id)).toMatchObject({ status: "exited", exit });
    };
    await check("echo last; exit 0", { type: "code", code: 0 });
    await check("echo last; exit 200", { type: "code", code: 200 });
    await check("echo last; kill -TERM $$", { type: "signal", signal: "SIGTERM" });
    await check("echo last; kill -KILL $$", { type: "signal", signal: "SIGKILL" });
    await check("seq 300000; echo last", { type: "code", code: 0 });
  });

  // Seven megabytes through a terminal take half a second of CPU time, which takes much longer on a busy machine.
  test(
    "a Session logs every line of a flood, and events.jsonl takes less than a tenth of the output's size (P5)",
    { timeout: 90_000 },
    async () => {
      await using started = await engine();
      const session = await started.bash();
      expect(await session.run("seq 1000000", { callerTimeoutMs: 80_000 })).toMatchObject({
        type: "completed",
        exitCode: 0,
      });
      await session.run("exit", PATIENT);
      await session.exited;
      const output = await readFile(join(session.directory, "output.bin"), "utf8");
      const numbers = output.split("\r\n").filter((line) => /^\d+$/.test(line));
      expect(numbers.length).toBe(1_000_000);
      expect(numbers.at(-1)).toBe("1000000");
      const { size } = await stat(join(session.directory, "events.jsonl"));
      expect(size).toBeLessThan(output.length * 0.1);
    },
  );

  test("destroy sends SIGHUP first, then SIGKILL, and also ends processes that left the session (A2, A3)", async () => {
    await using started = await engine();
    const check = async (force: boolean): Promise<void> => {
      const session = await started.app("stubborn.mjs");
      await session.wait({ text: "ready" }, PATIENT);
      const child = Number(/child (\d+)/.exec((await session.snapshot()).visibleLines[0] ?? "")?.[1]);
      expect(await isAlive(child)).toBe(true);
      expect(await session.destroy({ force })).toBe("destroyed");
      expect(await session.exited).toEqual({ type: "signal", signal: "SIGKILL" });
      expect([await isAlive(session.pid), await isAlive(child)]).toEqual([false, false]);
      expect(await session.destroy()).toBe("destroyed");
      expect(await started.home.readManifest(session.id)).toMatchObject({ status: "destroyed" });
      await expect(session.type("x")).rejects.toMatchObject({ code: "SESSION_ALREADY_DESTROYED" });
    };
    await check(false);
    await check(true);
  });

  test("a child that does not ignore SIGHUP ends by it, and an exited Session can be destroyed (A2)", async () => {
    await using started = await engine();
    const polite = await started.create({ command: ["cat"] });
    await Promise.all([polite.destroy(), polite.destroy()]);
    expect(await polite.exited).toEqual({ type: "signal", signal: "SIGHUP" });
    const ended = await started.create({ command: ["true"] });
    await ended.exited;
    await expect(ended.type("x")).rejects.toMatchObject({ code: "SESSION_NOT_RUNNING" });
    expect(await ended.destroy()).toBe("destroyed");
  });

  test("a child that has not run since SIGHUP was sent gets another grace period (A2)", async () => {
    await using started = await engine();
    let graces = 0;
    const clock: Clock = {
      ...systemClock,
      schedule: (durationMs, action) => {
        if (durationMs === 400) graces += 1;
        return systemClock.schedule(durationMs, action);
      },
    };
    const home = await openHome({ directory: started.home.directory, clock, ids: started.home.ids });
    const spec = { command: ["cat"], cwd: started.directory, env: started.env } as const;
    // Suppresses SIGCONT, so that only this test lets the child run again.
    const stopped: SpawnPty = (...of) => {
      const pty = nodePtySpawner(clock)(...of);
      const killGroup: typeof pty.killGroup = (signal) => signal === "SIGCONT" || pty.killGroup(signal);
      return new Proxy(pty, {
        get: (_, name) => {
          const value: unknown = name === "killGroup" ? killGroup : Reflect.get(pty, name, pty);
          return typeof value === "function" ? (value.bind(pty) as unknown) : value;
        },
      });
    };
    await using session = await createSession(home, spec, stopped);
    process.kill(session.pid, "SIGSTOP");
    const stat = (): Promise<string> => readFile(`/proc/${session.pid}/stat`, "utf8");
    await expect.poll(stat, { timeout: 20_000, interval: 5 }).toContain(") T ");
    const destroyed = session.destroy();
    await expect.poll(() => graces, { timeout: 20_000, interval: 5 }).toBeGreaterThan(1);
    process.kill(session.pid, "SIGCONT");
    expect(await destroyed).toBe("destroyed");
    expect(await session.exited).toEqual({ type: "signal", signal: "SIGHUP" });

    // This program blocks SIGHUP permanently, as programs do that read their signals from a descriptor.
    await using blocking = await createSession(home, {
      ...spec,
      command: ["script", "-qc", "cat", "/dev/null"],
    });
    graces = 0;
    await blocking.type("up\n");
    await blocking.wait({ text: "up\nup" }, PATIENT);
    await blocking.destroy();
    expect(graces).toBe(1);
  });

  // On one processor a quarter of these children do not lead a process group yet.
  test("a signal reaches a child that was started a moment ago (A2)", async () => {
    await using started = await engine();
    const spec = { command: ["cat"], cwd: "/", env: started.env, cols: 80, rows: 24 } as const;
    const spawn = nodePtySpawner(systemClock);
    for (let child = 0; child < 40; child += 1) {
      let isReached = false;
      const exit = await new Promise((resolve) => {
        const pty = spawn(spec, { output: () => undefined, exit: resolve });
        isReached = pty.killGroup("SIGHUP");
        if (!isReached) setTimeout(() => pty.killGroup("SIGKILL"), 100);
      });
      expect([isReached, exit]).toEqual([true, { type: "signal", signal: "SIGHUP" }]);
    }
  });

  test("disposing ends a live child and leaves an ended Session unchanged (A1)", async () => {
    await using started = await engine();
    const live = await started.create({ command: ["cat"] });
    await live[Symbol.asyncDispose]();
    expect([live.status(), await isAlive(live.pid)]).toEqual(["destroyed", false]);
    const ended = await started.create({ command: ["true"] });
    await ended.exited;
    await ended[Symbol.asyncDispose]();
    expect(ended.status()).toBe("exited");
  });
});

describe("input to a Session", () => {
  test("text, keys by name and pastes arrive as a terminal sends them (A13)", async () => {
    await using started = await engine();
    const session = await started.app("show-keys.mjs");
    await session.wait({ text: "ready" }, PATIENT);
    const check = async (send: () => Promise<number>, hex: string): Promise<void> => {
      const seq = await send();
      expect(await session.wait({ text: `<${hex}>`, afterSeq: seq }, PATIENT)).toMatchObject({
        type: "matched",
      });
    };
    await check(() => session.type("é"), "c3a9");
    await check(() => session.sendKeys(["Enter"]), "0d");
    await check(() => session.sendKeys(["Ctrl+C"]), "03");
    await check(() => session.sendKeys(["Up", "Escape"]), "1b5b411b");
    await check(() => session.sendKeys(["Alt+x", "F5", "🙂"]), "1b781b5b31357ef09f9982");
    await check(() => session.paste("a\x1b[201~b"), "6162");
    await check(() => session.paste("a\x1b[20\x1b[201~1~b"), Buffer.from("a[201~b").toString("hex"));
    await expect(session.sendKeys(["NoSuchKey"])).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(session.type("x".repeat(5_000_000))).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(session.resize(100_000, 5)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  test("a paste is bracketed if the program asked for that, and its text cannot end the brackets (A13)", async () => {
    await using started = await engine();
    const session = await started.create({
      command: ["bash", "-c", "stty raw -echo; printf '\\033[?2004hready'; head -c 17 | od -An -tx1"],
    });
    await session.wait({ text: "ready" }, PATIENT);
    await session.paste("ab\x1b[201~c\r!");
    await session.exited;
    const shown = (await session.snapshot()).visibleLines.join(" ").replaceAll(/\s/g, "");
    expect(shown).toContain(Buffer.from("\x1b[200~abc\r!\x1b[201~").toString("hex"));
  });

  test("a signal reaches the foreground job and not the shell (A6)", async () => {
    await using started = await engine();
    const session = await started.bash();
    const sleeping = session.run("sh -c 'echo asleep; exec sleep 60'", PATIENT);
    await session.wait({ regex: "^asleep" }, PATIENT);
    await session.signal("SIGTERM");
    expect(await sleeping).toMatchObject({ type: "completed", exitCode: 143 });
    expect(await session.run("true", PATIENT)).toMatchObject({ type: "completed", exitCode: 0 });
  });
});

import { spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { createSession, openHome, rpcSocketPath } from "agent-tty";
import { systemClock, systemIds } from "agent-tty/kit";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { propertyRuns } from "../../support/property-runs.ts";
import { APPS } from "../engine-fixture.ts";
import {
  type Binary,
  BUILD_PATIENCE_MS,
  bundledBinary,
  commandLine,
  type CommandLine,
  isAlive,
  processGone,
} from "./command-line.ts";

let binary: Binary;
beforeAll(async () => {
  binary = await bundledBinary();
}, BUILD_PATIENCE_MS);
afterAll(() => binary[Symbol.asyncDispose]());

const manifestPath = (cli: CommandLine, id: string) => join(cli.home, "sessions", id, "session.json");

describe("a Session's host process", { timeout: 90_000 }, () => {
  test("a failed create reports why, and leaves neither directory nor process (A1)", async () => {
    await using cli = await commandLine(binary);
    const failed = await cli.json(["create", "--", "no-such-program"]);
    expect(failed).toMatchObject({ ok: false, exitCode: 2, error: { code: "SPAWN_PROGRAM_MISSING" } });
    expect(failed.error.message).toContain("no-such-program");
    expect(await readdir(join(cli.home, "sessions"))).toEqual([]);
  });

  test("NODE_OPTIONS and secrets in the Session's environment reach only its program, never the host (A1)", async () => {
    await using cli = await commandLine(binary);
    const created = await cli.json([
      "create",
      "--env",
      "NODE_OPTIONS=--require=/no/such",
      "--env",
      "SECRET=hidden",
      "--",
      "sh",
      "-c",
      'echo "$NODE_OPTIONS $SECRET"; cat',
    ]);
    const id = String(created.result["sessionId"]);
    expect((await cli.json(["wait", id, "--text", "--require=/no/such hidden"])).result).toMatchObject({
      matched: true,
    });
    const { hostPid } = await cli.manifest(id);
    const environment = await readFile(`/proc/${hostPid}/environ`, "utf8");
    expect(environment).not.toMatch(/SECRET|hidden|NODE_OPTIONS/);
    expect(await readFile(`/proc/${hostPid}/cmdline`, "utf8")).not.toContain("hidden");
    expect(await readFile(manifestPath(cli, id), "utf8")).not.toContain("hidden");
    const leader = (await readFile(`/proc/${hostPid}/stat`, "utf8")).split(") ")[1]?.split(" ")[2];
    expect(Number(leader)).toBe(hostPid);
  });

  test("the host exits after its Session has exited, with everything written to the files (A18)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create("sh", "-c", "sleep 0.3; seq 20000; exit 6");
    const { hostPid } = await cli.manifest(id);
    expect((await cli.json(["wait", id, "--exit"])).result).toMatchObject({ exitCode: 6 });
    await processGone(hostPid);
    expect((await cli.manifest(id)).status).toBe("exited");
    expect(await readdir(join(cli.home, "sessions", id))).not.toContain("rpc.sock");
    expect((await cli.json(["snapshot", id])).result["text"]).toContain("20000");
    expect(await cli.json(["destroy", id])).toMatchObject({ exitCode: 0, result: { status: "destroyed" } });
  });

  test("destroy ends processes left behind by a host that was killed or has exited (A1)", async () => {
    await using cli = await commandLine(binary);
    // The shell goes on only when setsid has made the new process group, which the end of the Session does not reach.
    const leaver = "setsid sh -c 'echo $$ >left; exec sleep 100'";
    const left = `rm -f left; trap '' HUP; ${leaver} & until [ -s left ]; do sleep 0.01; done; echo done`;
    const leftBy = async (script: string): Promise<{ id: string; pid: number }> => {
      const id = await cli.create("sh", "-c", script);
      await cli.json(["wait", id, "--text", "done"]);
      const pid = Number(await readFile(join(cli.directory, "left"), "utf8"));
      expect(await isAlive(pid)).toBe(true);
      return { id, pid };
    };
    const killed = await leftBy(`${left}; sleep 100`);
    const { hostPid, childPid } = await cli.manifest(killed.id);
    process.kill(hostPid, "SIGKILL");
    await processGone(hostPid);
    const ended = await leftBy(`${left}; until [ -e leave ]; do sleep 0.05; done`);
    await writeFile(join(cli.directory, "leave"), "");
    await processGone((await cli.manifest(ended.id)).hostPid);
    for (const { id } of [killed, ended])
      expect(await cli.json(["destroy", id])).toMatchObject({ exitCode: 0, result: { status: "destroyed" } });
    for (const pid of [killed.pid, childPid, ended.pid]) expect(await isAlive(pid)).toBe(false);
  });

  test("destroy --force kills a host that does not answer, but no program that hosts a Session itself (A1)", async () => {
    await using cli = await commandLine(binary);
    const home = await openHome({ directory: cli.home, clock: systemClock, ids: systemIds(systemClock) });
    const command = ["sleep", "100"] as const;
    const session = await createSession(home, { command: [...command], cwd: cli.directory, env: cli.env });
    const id = await cli.create(...command);
    const { hostPid, childPid } = await cli.manifest(id);
    process.kill(hostPid, "SIGSTOP");
    const silent = createServer().listen(rpcSocketPath(session.directory));
    const [hung, own] = await Promise.all(
      [id, session.id].map((each) => cli.json(["destroy", each, "--force"])),
    );
    silent.close();
    expect(hung).toMatchObject({ exitCode: 0, result: { status: "destroyed" } });
    for (const pid of [hostPid, childPid]) expect(await isAlive(pid)).toBe(false);
    expect(own).toMatchObject({ exitCode: 6, error: { code: "HOST_UNREACHABLE" } });
    expect(own?.error.message).toContain(String(process.pid));
    await session[Symbol.asyncDispose]();
  });

  test("every command reports the Session of a host killed with SIGKILL as failed, and its program ends (A2, A3)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create("cat");
    await cli.json(["type", id, "last words\n"]);
    await cli.json(["wait", id, "--text", "last words"]);
    // Its answer shows that everything before it is in the files.
    await cli.json(["mark", id, "shown"]);
    const { hostPid, childPid } = await cli.manifest(id);
    const waiting = cli.json(["wait", id, "--text", "never"]);
    process.kill(hostPid, "SIGKILL");
    await processGone(hostPid);
    await processGone(childPid);
    expect((await waiting).exitCode).not.toBe(0);
    const inspected = await cli.json(["inspect", id]);
    expect(inspected.result).toMatchObject({
      status: { value: "failed" },
      termination: { reason: "the host process is gone" },
    });
    expect((await cli.json(["list"])).result["sessions"]).toEqual([]);
    expect((await cli.json(["list", "--status", "failed"])).result["sessions"]).toMatchObject([
      { sessionId: id },
    ]);
    expect(await cli.json(["type", id, "x"])).toMatchObject({
      exitCode: 4,
      error: {
        code: "SESSION_NOT_RUNNING",
        message: expect.stringContaining("it is failed (the host process is gone)") as string,
      },
    });
    expect(await cli.json(["wait", id, "--text", "never"])).toMatchObject({
      exitCode: 4,
      result: { interrupted: true, reason: "the Session is over, so this can no longer come true" },
    });
    expect((await cli.json(["snapshot", id])).result["text"]).toContain("last words");
    expect(await cli.json(["destroy", id])).toMatchObject({ exitCode: 0, result: { status: "destroyed" } });
  });

  test("a zombie, or another process with the same pid, does not count as the host (A2)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create("cat");
    const { hostPid } = await cli.manifest(id);
    process.kill(hostPid, "SIGKILL");
    await processGone(hostPid);
    const manifest = JSON.parse(await readFile(manifestPath(cli, id), "utf8")) as Record<string, unknown>;
    // `exec sleep` never collects the exit code of the child that it inherits from its shell.
    const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const [first] = (await parent.stdout[Symbol.asyncIterator]().next()).value
        .toString()
        .split("\n") as string[];
      const zombie = Number(first);
      // Until then the shell might still collect it.
      await vi.waitFor(
        async () => expect(await readFile(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n"),
        { timeout: 20_000 },
      );
      process.kill(zombie, "SIGKILL");
      await processGone(zombie);
      const ticks = (await readFile(`/proc/${zombie}/stat`, "utf8")).split(") ")[1]?.split(" ")[19] ?? "";
      for (const host of [
        { hostPid: zombie, hostStartTicks: ticks },
        { hostPid: process.pid, hostStartTicks: "1" },
      ]) {
        await writeFile(manifestPath(cli, id), JSON.stringify({ ...manifest, ...host }));
        expect((await cli.json(["inspect", id])).result["status"]).toMatchObject({ value: "failed" });
      }
    } finally {
      parent.kill("SIGKILL");
      await writeFile(manifestPath(cli, id), JSON.stringify(manifest));
    }
  });

  test("destroy ends a program with SIGHUP, and one that ignores SIGHUP is killed with all its children (A3)", async () => {
    await using cli = await commandLine(binary);
    const [polite, stubborn] = [
      await cli.create("cat"),
      await cli.create(process.execPath, join(APPS, "stubborn.mjs")),
    ];
    const matched = await cli.json(["wait", stubborn, "--regex", "child \\d+ ready"]);
    const child = Number(/\d+/.exec(String(matched.result["matchedText"]))?.[0]);
    expect(await cli.json(["destroy", polite])).toMatchObject({
      exitCode: 0,
      result: { status: "destroyed" },
    });
    // The program ended by SIGHUP, without SIGKILL.
    const { result } = await cli.json(["inspect", polite]);
    expect(result["termination"]).toMatchObject({ exit: { type: "signal", signal: "SIGHUP" } });
    const { childPid } = await cli.manifest(stubborn);
    expect(await cli.json(["destroy", stubborn])).toMatchObject({
      exitCode: 0,
      result: { status: "destroyed" },
    });
    expect([await isAlive(childPid), await isAlive(child)]).toEqual([false, false]);
  });

  test("with --stdin-log off the Session's files do not contain typed text (A6)", async () => {
    await using cli = await commandLine(binary);
    const created = await cli.json([
      "create",
      "--stdin-log",
      "off",
      "--",
      "sh",
      "-c",
      "stty -echo; echo ask; read x; echo got ${#x}; cat",
    ]);
    const id = String(created.result["sessionId"]);
    await cli.json(["wait", id, "--text", "ask"]);
    await cli.json(["type", id, "hunter22\n"]);
    await cli.json(["wait", id, "--text", "got 8"]);
    const events = await readFile(join(cli.home, "sessions", id, "events.jsonl"), "utf8");
    expect(events).toMatch(/"type":"input","data":""/);
    expect(events).not.toContain("hunter22");
  });

  test("many simultaneous creates, then many simultaneous runs, all succeed (A13, P2)", async () => {
    await using cli = await commandLine(binary);
    const many = propertyRuns(10, 20);
    const createdMs = performance.now();
    const ids = await Promise.all(Array.from({ length: many }, () => cli.create("bash", "--norc")));
    const ranMs = performance.now();
    const [one = ""] = ids;
    const runs = await Promise.all(
      Array.from({ length: many }, (_, index) => cli.json(["run", one, `(exit ${index})`])),
    );
    const doneMs = performance.now();
    expect(runs.map(({ result }) => result["exitCode"])).toEqual(runs.map((_, index) => index));
    process.stdout.write(
      `${many} creates at once ${Math.round(ranMs - createdMs)} ms, ${many} runs at once ${Math.round(doneMs - ranMs)} ms\n`,
    );
  });
});

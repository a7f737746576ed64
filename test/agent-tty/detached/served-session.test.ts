import { once } from "node:events";
import { stat } from "node:fs/promises";
import { createServer } from "node:net";
import { createSession, type Home, openHome, rpcSocketPath, serveSession, type SessionSpec } from "agent-tty";
import { systemClock, systemIds } from "agent-tty/kit";
import { openLogFile } from "agent-tty/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Binary,
  BUILD_PATIENCE_MS,
  bundledBinary,
  type CommandLine,
  commandLine,
} from "./command-line.ts";

let binary: Binary;
beforeAll(async () => {
  binary = await bundledBinary();
}, BUILD_PATIENCE_MS);
afterAll(() => binary[Symbol.asyncDispose]());

const homeOf = (cli: CommandLine): Promise<Home> =>
  openHome({ directory: cli.home, clock: systemClock, ids: systemIds(systemClock) });
const specOf = (cli: CommandLine): SessionSpec => ({
  command: ["bash", "--norc"],
  cwd: cli.directory,
  env: cli.env,
  shellIntegration: "automatic",
});

describe("a Session of this process that is served", { timeout: 90_000 }, () => {
  test("a Session accepts commands while it is served, and none before or after (A1, A13)", async () => {
    await using cli = await commandLine(binary);
    const home = await homeOf(cli);
    await using session = await createSession(home, specOf(cli));
    const unserved = async (): Promise<void> =>
      expect(await cli.json(["type", session.id, "x"])).toMatchObject({
        exitCode: 6,
        error: { code: "HOST_UNREACHABLE" },
      });
    await unserved();
    {
      await using _server = await serveSession(home, session);
      expect(((await stat(rpcSocketPath(session.directory))).mode & 0o777).toString(8)).toBe("600");
      const run = await cli.json(["run", session.id, "echo from outside; exit 3", "--check"]);
      expect(run.result).toMatchObject({ interrupted: true });
      const shown = await cli.json(["snapshot", session.id]);
      expect(shown.result["text"]).toContain("from outside");
    }
    expect((await cli.json(["type", session.id, "x"])).exitCode).toBe(4);
  });

  test("a run that a full disk ends has the reason in its result (A2, A16)", async () => {
    await using cli = await commandLine(binary);
    const home = await homeOf(cli);
    let roomBytes = 100_000;
    await using session = await createSession(home, specOf(cli), undefined, async (path) => {
      const file = await openLogFile(path);
      const append = async (chunks: readonly Uint8Array[]): Promise<void> => {
        roomBytes -= chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
        if (roomBytes < 0) throw Object.assign(new Error("ENOSPC: the disk refuses"), { code: "ENOSPC" });
        await file.append(chunks);
      };
      return { append, close: () => file.close() };
    });
    await using _server = await serveSession(home, session);
    const run = await cli.json(["run", session.id, "seq 1000000"]);
    expect(run).toMatchObject({ exitCode: 4, result: { interrupted: true } });
    expect(run.result["failure"]).toContain("ENOSPC: the disk refuses");
  });

  test("several programs use one Session at the same time, and a destroy command also ends it for its owner (A13)", async () => {
    await using cli = await commandLine(binary);
    const home = await homeOf(cli);
    await using session = await createSession(home, specOf(cli));
    await using _server = await serveSession(home, session);
    const [own, theirs] = await Promise.all([
      session.run("(exit 4)", { callerTimeoutMs: 20_000 }),
      cli.json(["run", session.id, "(exit 5)"]),
    ]);
    expect(own).toMatchObject({ type: "completed", exitCode: 4 });
    expect(theirs.result).toMatchObject({ completed: true, exitCode: 5 });
    const waiting = cli.json(["wait", session.id, "--text", "typed by its owner"]);
    await session.run("echo typed by its owner", { callerTimeoutMs: 20_000 });
    expect((await waiting).result).toMatchObject({ matched: true });
    expect((await cli.json(["destroy", session.id])).result).toMatchObject({ status: "destroyed" });
    await session.exited;
    expect(session.status()).toBe("destroyed");
  });

  test("a socket left behind by a killed host does not block a new host (A13)", async () => {
    await using cli = await commandLine(binary);
    const home = await homeOf(cli);
    await using session = await createSession(home, specOf(cli));
    const left = createServer().listen(rpcSocketPath(session.directory));
    await once(left, "listening");
    await using _server = await serveSession(home, session);
    expect((await cli.json(["mark", session.id, "here"])).exitCode).toBe(0);
    left.close();
  });
});

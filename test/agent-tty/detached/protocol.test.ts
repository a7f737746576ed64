import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, stat, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { connectHost, encodeMessage, FrameDecoder, rpcSocketPath } from "agent-tty";
import { systemClock } from "agent-tty/kit";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Binary,
  BUILD_PATIENCE_MS,
  bundledBinary,
  commandLine,
  type CommandLine,
} from "./command-line.ts";

const LIMIT = 4 * 1024 * 1024;
/** A wait that is only for what the screen shows. */
const SCREEN = { method: "wait", idleMs: null, exit: false } as const;
let binary: Binary;
beforeAll(async () => {
  binary = await bundledBinary();
}, BUILD_PATIENCE_MS);
afterAll(() => binary[Symbol.asyncDispose]());

const sessionDirectory = (cli: CommandLine, sessionId: string) => join(cli.home, "sessions", sessionId);

function open(cli: CommandLine, sessionId: string): Socket {
  const socket = connect({ path: rpcSocketPath(sessionDirectory(cli, sessionId)), allowHalfOpen: true });
  socket.on("error", () => undefined);
  return socket;
}

/** Returns all messages from the host until it closes its half. */
async function answers(socket: Socket): Promise<Record<string, unknown>[]> {
  const decoder = new FrameDecoder(LIMIT);
  const messages: unknown[] = [];
  for await (const bytes of socket as AsyncIterable<Buffer>) messages.push(...decoder.push(bytes));
  return messages as Record<string, unknown>[];
}

describe("the protocol between a Session's host and its clients", { timeout: 90_000 }, () => {
  test("any message is decoded correctly however its bytes are split (A13)", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.jsonValue(),
            fc.string({ maxLength: 20 }).map((text) => text.repeat(30_000)),
          ),
          { maxLength: 4 },
        ),
        fc.array(fc.integer({ min: 1, max: 300_000 }), { minLength: 1 }),
        (messages, sizes) => {
          const bytes = Buffer.concat(messages.map((message) => encodeMessage(message)));
          const decoder = new FrameDecoder(LIMIT);
          const seen: unknown[] = [];
          for (let start = 0, turn = 0; start < bytes.byteLength; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            seen.push(...decoder.push(bytes.subarray(start, start + size)));
            start += size;
          }
          expect(JSON.stringify(seen)).toBe(JSON.stringify(messages));
        },
      ),
      { numRuns: 60 },
    );
  });

  test("the decoder never buffers more than its limit, whatever length is announced (S17)", () => {
    const decoder = new FrameDecoder(1_000);
    expect(() => decoder.push(encodeMessage("x".repeat(2_000)))).toThrow(/above the limit of 1000/);
    expect(() => new FrameDecoder(1_000).push(Buffer.from([0, 0, 0, 0]))).toThrow(/frame of 0 bytes/);
    expect(() => new FrameDecoder(1e9).push(Buffer.from([0x7f, 255, 255, 255]))).toThrow(/frame of/);
    expect(() => new FrameDecoder(1_000).push(Buffer.from([0, 0, 0, 1, 0x7b]))).toThrow(/not JSON/);
  });

  test("only the owner can access the socket, its directory and everything in it (S17)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create("bash", "--norc");
    const directory = sessionDirectory(cli, id);
    const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    expect(await mode(directory)).toBe("700");
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      expect([name, await mode(path)]).toEqual([name, (await stat(path)).isDirectory() ? "700" : "600"]);
    }
    expect((await stat(rpcSocketPath(directory))).isSocket()).toBe(true);
    const inspected = await cli.json(["inspect", id]);
    expect(inspected.result["host"]).toEqual({ rpcSocketPath: rpcSocketPath(directory) });
  });

  test("a home whose path is too long for a socket address works (S17)", async () => {
    await using cli = await commandLine(binary);
    const home = join(cli.home, "deep".repeat(30));
    const at = ["--home", home];
    const created = await cli.json(["create", ...at, "--", "cat"]);
    const id = String(created.result["sessionId"]);
    expect(await cli.json(["type", ...at, id, "far away\n"])).toMatchObject({ exitCode: 0 });
    expect((await cli.json(["wait", ...at, id, "--text", "far away"])).result).toMatchObject({
      matched: true,
    });
    expect(await cli.json(["destroy", ...at, id])).toMatchObject({ exitCode: 0 });
  });

  test("random bytes are refused or end the connection, and the Session continues (S17)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create("cat");
    const request = encodeMessage({ v: 1, id: 1, call: { method: "type", text: "x" } });
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 4_000 }),
      fc.jsonValue().map((value) => encodeMessage(value)),
      fc.jsonValue().map((call) => encodeMessage({ v: 1, id: 7, call })),
      fc.nat(request.byteLength).map((size) => request.subarray(0, size)),
      fc
        .tuple(fc.nat(request.byteLength - 1), fc.nat(255))
        .map(([at, value]) => Buffer.from(request.with(at, value))),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (sent) => {
        const socket = open(cli, id);
        socket.end(sent);
        for (const said of await answers(socket))
          expect(Object.keys(said).toSorted()[0]).toMatch(/^(error|id)$/);
      }),
      { numRuns: 150 },
    );
    expect(await cli.json(["mark", id, "still here"])).toMatchObject({ exitCode: 0 });
  });

  test("another version and unknown calls are refused with their id, and the connection stays open (A13)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create("cat");
    const socket = open(cli, id);
    const call = { method: "status" };
    for (const message of [
      { v: 2, id: 1, call },
      { v: 1, id: 2, call: { method: "fly" } },
      { v: 1, id: 3, call: { method: "type", text: "a", more: 1 } },
      { v: 1, id: 4, call },
    ])
      socket.write(encodeMessage(message));
    socket.end();
    const said = await answers(socket);
    expect(said.toSorted((a, b) => Number(a["id"]) - Number(b["id"]))).toMatchObject([
      { id: 1, ok: false, error: { code: "PROTOCOL_VIOLATION" } },
      { id: 2, ok: false, error: { code: "PROTOCOL_VIOLATION" } },
      { id: 3, ok: false, error: { code: "PROTOCOL_VIOLATION" } },
      { id: 4, ok: true, reply: { status: "running" } },
    ]);
  });

  test("a client that closes its half still gets its answer, and the command of a client that disappears continues (A17)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create("bash", "--norc");
    const half = open(cli, id);
    half.end(
      encodeMessage({
        v: 1,
        id: 1,
        call: { method: "run", commandLine: "sleep 0.1; (exit 4)", timeoutMs: 5_000, waits: true },
      }),
    );
    expect(await answers(half)).toMatchObject([
      { id: 1, ok: true, reply: { type: "completed", exitCode: 4 } },
    ]);
    const gone = open(cli, id);
    await once(gone, "connect");
    gone.write(
      encodeMessage({
        v: 1,
        id: 1,
        call: { method: "run", commandLine: "sleep 0.2; echo done > made", timeoutMs: 5_000, waits: true },
      }),
    );
    await cli.json(["wait", id, "--text", "done > made"]);
    gone.destroy();
    expect((await cli.json(["run", id, "cat made", "--check"])).exitCode).toBe(0);
  });

  test("each of several clients with many simultaneous calls gets the answers to its own calls (A13)", async () => {
    await using cli = await commandLine(binary);
    const sessionId = await cli.create("cat");
    const target = { sessionId, directory: sessionDirectory(cli, sessionId) };
    await using first = await connectHost(target, systemClock);
    await using second = await connectHost(target, systemClock);
    const marks = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        (index % 2 === 0 ? first : second).call({ method: "mark", label: String(index) }),
      ),
    );
    expect(new Set(marks.map(({ seq }) => seq)).size).toBe(300);
    const waiting = first.call({ ...SCREEN, condition: { text: "from the other" }, timeoutMs: 10_000 });
    await second.call({ method: "type", text: "from the other\n" });
    expect(await waiting).toMatchObject({ type: "matched" });
    const lost = first.call({ ...SCREEN, condition: { text: "never" }, timeoutMs: null });
    const { hostPid } = await cli.manifest(sessionId);
    process.kill(hostPid, "SIGKILL");
    await expect(lost).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
    await first.closed;
  });

  test("a paste of 1.5 MB reaches the program completely (A6)", async () => {
    await using cli = await commandLine(binary);
    const text = `${randomBytes(500_000).toString("hex").replaceAll(/.{75}/g, "$&\n")}${"é".repeat(250_000).replaceAll(/.{50}/gu, "$&\n")}`;
    const sizeBytes = Buffer.byteLength(text);
    expect(sizeBytes).toBeGreaterThan(1_500_000);
    await writeFile(join(cli.directory, "big.txt"), text);
    const id = await cli.create("sh", "-c", `stty -echo; echo ready; head -c ${sizeBytes} | sha256sum`);
    await cli.json(["wait", id, "--text", "ready"]);
    expect(await cli.json(["paste", id, "--file", "big.txt"])).toMatchObject({ exitCode: 0 });
    await cli.json(["wait", id, "--exit", "--timeout", "20000"]);
    const { createHash } = await import("node:crypto");
    const hash = createHash("sha256").update(text).digest("hex");
    expect((await cli.json(["snapshot", id])).result["text"]).toContain(hash);
    await writeFile(join(cli.directory, "huge.txt"), "x".repeat(11 * 1024 * 1024));
    expect(await cli.json(["paste", id, "--file", "huge.txt"])).toMatchObject({ exitCode: 2 });
  });
});

import { type Clock, systemClock } from "agent-tty/kit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  endMarkStart,
  type OpenConnection,
  RELAY_LIMITS,
  type RelayPorts,
  type RelaySpec,
  TerminalRelay,
} from "../../src/workspaces/coder/terminal/index.ts";

const NONCE = "0123456789abcdef01234567";

/** A clock on which sleeping takes no time. */
const clock: Clock = {
  ...systemClock,
  sleep: () => Promise.resolve(),
  schedule: () => ({ [Symbol.dispose]: () => undefined }),
};

/**
 * The CLI's own exit codes. A remote shell's exit with one of them is reported as 70, because it would otherwise be read as a
 * loss.
 */
const CLI_EXIT_CODES: ReadonlySet<number> = new Set([1, 229, 255]);

/** The behaviour of one connection: the number of bytes before it is lost, and the size of their pieces. */
interface Loss {
  bytes: number;
  pieceBytes: number;
  /** Whether the remote side carries out the frames that were sent. */
  acknowledged: boolean;
}

test("every byte arrives once and in order, and every frame is carried out once, however often the connection is lost (T12)", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(
        fc.record({
          bytes: fc.integer({ min: 0, max: 60 }),
          pieceBytes: fc.integer({ min: 1, max: 9 }),
          acknowledged: fc.boolean(),
        }),
        { maxLength: 15 },
      ),
      fc.integer({ min: 0, max: 255 }),
      fc.string({ minLength: 1, maxLength: 20 }),
      async (output, losses, exitCode, typed) => {
        const remote = remoteTerminal(Buffer.from(output), exitCode, losses);
        const written: Buffer[] = [];
        const relay = new TerminalRelay(SPEC, {
          ...idlePorts,
          connect: remote.connect,
          write: (bytes) => written.push(Buffer.from(bytes)),
        });
        relay.type(Buffer.from(typed));
        expect(await relay.run()).toBe(CLI_EXIT_CODES.has(exitCode) ? 70 : exitCode);
        expect(Buffer.concat(written)).toEqual(Buffer.from(output));
        const keys = remote.carriedOut.filter((frame) => frame.startsWith("k "));
        expect(keys).toEqual([`k ${Buffer.from(typed).toString("hex").match(/../g)?.join(" ")}`]);
      },
    ),
  );
});

test("too many lost connections end the terminal, with a message on the screen (T12)", async () => {
  const losses = Array.from({ length: 50 }, () => ({ bytes: 0, pieceBytes: 1, acknowledged: true }));
  const remote = remoteTerminal(Buffer.from("never shown"), 0, losses);
  let shown = "";
  const spec = { ...SPEC, limits: { ...SPEC.limits, maxReattaches: 20 } };
  const relay = new TerminalRelay(spec, {
    ...idlePorts,
    connect: remote.connect,
    write: (bytes) => (shown += bytes.toString()),
  });
  expect(await relay.run()).toBe(255);
  expect(remote.connections()).toBe(21);
  expect(shown).toContain("the connection was lost 21 times");
});

test("an API that does not answer ends nothing, and an answer that says ended does (O13)", async () => {
  const losses = Array.from({ length: 5 }, () => ({ bytes: 0, pieceBytes: 1, acknowledged: true }));
  for (const [state, exitCode] of [
    ["unknown", 4],
    ["started", 4],
    ["ended", 255],
  ] as const) {
    const { connect } = remoteTerminal(Buffer.from("x"), 4, losses);
    const relay = new TerminalRelay(SPEC, {
      ...idlePorts,
      connect,
      workspaceState: () => Promise.resolve(state),
    });
    expect(await relay.run()).toBe(exitCode);
  }
});

test("a relay that quits kills a connection that hangs, and opens no other one (T5, T12, coder failure 22)", async () => {
  const ended: string[] = [];
  let connections = 0;
  let lose: (how: string) => void = () => undefined;
  const closed = new Promise<string>((resolve) => (lose = resolve));
  const silent = async function* (): AsyncGenerator<Buffer> {
    await closed;
    yield Buffer.alloc(0);
  };
  const relay = new TerminalRelay(SPEC, {
    ...idlePorts,
    connect: () => {
      connections += 1;
      return {
        stdout: silent(),
        stderr: silent(),
        send: () => undefined,
        close: () => void ended.push("close"),
        kill: () => {
          ended.push("kill");
          lose("SIGKILL");
        },
        closed,
      };
    },
  });
  const running = relay.run();
  await relay.quit();
  expect(ended).toEqual(["kill"]);
  expect(await running).toBe(255);
  expect(connections).toBe(1);
});

test("a relay that quits while it waits to connect again opens no connection (T5, T12)", async () => {
  const losses = Array.from({ length: 5 }, () => ({ bytes: 0, pieceBytes: 1, acknowledged: true }));
  const remote = remoteTerminal(Buffer.from("x"), 0, losses);
  const relay = new TerminalRelay(SPEC, {
    ...idlePorts,
    connect: remote.connect,
    workspaceState: async () => {
      await relay.quit();
      return "started";
    },
  });
  expect(await relay.run()).toBe(255);
  expect(remote.connections()).toBe(1);
});

test("replies that tmux has already sent are not typed a second time, even if they arrive together with other input, but keys are (S10, T12)", async () => {
  const version = "\x1bP>|agent-tty\x1b\\";
  for (const [typed, expected] of [
    ["\x1b[?1;2c", ""],
    ["\x1b[>0;276;0c\x1b[12;40R", ""],
    ["\x1b[0n", ""],
    ["\x1b[?1;2cmake test\r", "make test\r"],
    [`${version}\x1b[?1;2c`, version],
    [`y\x1b[12;40R${"x".repeat(100)}`, `y${"x".repeat(100)}`],
    ["\x1b[1;2R", "\x1b[1;2R"],
    ["\x1b[A", "\x1b[A"],
    ["\x1b[c", "\x1b[c"],
    ["c", "c"],
    ["\x1b]11;rgb:0000/0000/0000\x07", "\x1b]11;rgb:0000/0000/0000\x07"],
  ] as const) {
    const remote = remoteTerminal(Buffer.from("x"), 0, []);
    const relay = new TerminalRelay(SPEC, { ...idlePorts, connect: remote.connect });
    relay.type(Buffer.from(typed));
    await relay.run();
    const keys = remote.carriedOut.flatMap((frame) => (frame.startsWith("k ") ? [frame.slice(2)] : []));
    expect([typed, Buffer.from(keys.join("").replaceAll(" ", ""), "hex").toString()]).toEqual([
      typed,
      expected,
    ]);
  }
});

const SPEC: RelaySpec = {
  ssh: ["coder", "ssh"],
  workspaceId: "id",
  remote: { name: "afk-x", stateDirectory: "/s", directory: "/d", rcFile: "/rc", nonce: NONCE },
  limits: { ...RELAY_LIMITS, graceMs: 120_000 },
  tokenFile: null,
};

const idlePorts: Omit<RelayPorts, "connect"> = {
  clock,
  workspaceState: () => Promise.resolve("started"),
  write: () => undefined,
  onTaken: () => undefined,
  size: () => ({ cols: 80, rows: 24 }),
};

/** Creates the remote side in memory: it keeps what it printed, and which frame it carried out last. */
function remoteTerminal(output: Buffer, exitCode: number, losses: readonly Loss[]) {
  const log = Buffer.concat([output, Buffer.from(`${endMarkStart(NONCE)}${exitCode}\x07`, "latin1")]);
  const carriedOut: string[] = [];
  let last = 0;
  let count = 0;
  const carryOut = (line: string): void => {
    const [, sequence = "", text = ""] = /^(\d+) (.*)\n$/.exec(line) ?? [];
    if (Number(sequence) <= last) return;
    last = Number(sequence);
    carriedOut.push(text);
  };
  const connect = (offset: number): OpenConnection => {
    const loss = losses[count];
    count += 1;
    const end = loss === undefined ? log.byteLength : Math.min(offset + loss.bytes, log.byteLength);
    const pieceBytes = loss?.pieceBytes ?? 7;
    let lose: (how: string) => void = () => undefined;
    const closed = new Promise<string>((resolve) => (lose = resolve));
    return {
      stdout: (async function* () {
        for (let at = offset; at < end; at += pieceBytes)
          yield log.subarray(at, Math.min(at + pieceBytes, end));
        lose("exit 255");
      })(),
      stderr: (async function* () {
        yield Buffer.from(`a warning\n${NONCE} at ${offset} ${last}\n`);
        await closed;
      })(),
      send: (line) => {
        carryOut(line);
        if (loss?.acknowledged === false) lose("exit 255");
      },
      close: () => lose("closed"),
      kill: () => lose("killed"),
      closed,
    };
  };
  return { connect, carriedOut, connections: () => count };
}

import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { type CliOrder, type CliStart, runCli } from "./stand-in-cli.ts";
import type { CliBehaviour } from "./stand-in-model.ts";
import type { SshSessions } from "./stand-in-ssh.ts";

/** The processes of the stand-in's `coder` talk to this: it records how each was started, and tells each what to do. */
export interface StandInControl extends AsyncDisposable {
  /** Every start, in order of arrival. */
  readonly starts: CliStart[];
  configure(change: Partial<CliBehaviour>): void;
}

/** Excludes the caller's own: variables of the wrapper, and those that a shell adds. */
const NOT_GIVEN = new Set([
  "CODER_STAND_IN",
  "CODER_STAND_IN_DIRECTORY",
  "AFK_TEST_RUN",
  "PWD",
  "OLDPWD",
  "SHLVL",
  "_",
]);

export async function openControl(
  directory: string,
  behaviour: CliBehaviour,
  sessions: SshSessions,
): Promise<StandInControl> {
  const starts: CliStart[] = [];
  const connections = new Set<Socket>();
  /** As a stalled network: they go on where they were once it is over. */
  let hanging: (() => void)[] = [];
  const server = createServer((socket) => {
    connections.add(socket);
    const gone = new AbortController();
    socket.on("error", () => undefined);
    socket.on("close", () => {
      connections.delete(socket);
      gone.abort();
    });
    void (async () => {
      const start = parseStart(await readFrame(socket));
      starts.push(start);
      while (behaviour.hangs) await new Promise<void>((resolve) => hanging.push(resolve));
      const order = await runCli(behaviour, start, gone.signal);
      if (order.type === "session") sessions.hold(order.sessionId, socket);
      socket.write(frame(fieldsOf(order)));
    })().catch((error: unknown) => {
      // A process that was killed waits for nothing more.
      if (!gone.signal.aborted) throw error;
    });
  });
  await new Promise<void>((resolve) => server.listen(join(directory, "control"), resolve));
  return {
    starts,
    configure: (change) => {
      Object.assign(behaviour, change);
      const resumed = behaviour.hangs ? [] : hanging;
      hanging = hanging.slice(resumed.length);
      for (const resume of resumed) resume();
    },
    [Symbol.asyncDispose]: () => close(server, connections),
  };
}

function fieldsOf(order: CliOrder): string[] {
  if (order.type === "exit") return ["exit", String(order.exitCode), order.stdout, order.stderr];
  const environment = Object.entries(order.env).map(([name, value]) => `${name}=${value}`);
  return [order.isTerminal ? "terminal" : "pipes", order.home, order.text, ...environment];
}

/** The number of words of argv, they themselves, and the environment. */
function parseStart(fields: readonly string[]): CliStart {
  const count = Number(fields[0]);
  const environment = fields.slice(1 + count).map((entry): [string, string] => {
    const at = entry.indexOf("=");
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
  const given = environment.filter(([name]) => !NOT_GIVEN.has(name));
  return { argv: fields.slice(1, 1 + count), env: Object.fromEntries(given) };
}

/** A length in four bytes, then fields with NUL between them, which none of them can hold. */
function frame(fields: readonly string[]): Buffer {
  const text = Buffer.from(fields.join("\0"));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.byteLength);
  return Buffer.concat([length, text]);
}

function readFrame(socket: Socket): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      seen = Buffer.concat([seen, chunk]);
      if (seen.byteLength < 4 || seen.byteLength < 4 + seen.readUInt32BE(0)) return;
      // It goes on flowing: the end of the process shows as the end of its connection.
      socket.off("data", onData).on("data", () => undefined);
      resolve(seen.subarray(4).toString("utf8").split("\0"));
    };
    socket.on("data", onData);
    socket.once("close", () => reject(new Error("the process is gone")));
  });
}

function close(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of connections) socket.destroy();
  });
}

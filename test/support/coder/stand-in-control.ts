import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { type CliOrder, type CliStart, runCli } from "./stand-in-cli.ts";
import type { CliBehaviour } from "./stand-in-model.ts";
import type { SshSessions } from "./stand-in-ssh.ts";

/** The server to which the stand-in's `coder` processes connect: it records how each was started, and sends each its task. */
export interface StandInControl extends AsyncDisposable {
  /** Every start, in order of arrival. */
  readonly starts: CliStart[];
  configure(change: Partial<CliBehaviour>): void;
}

/** Variables that the caller did not set: those of the wrapper, and those that a shell adds. */
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
  /** Processes that hang as in a stalled network; they continue when it recovers. */
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
      // A killed process needs no answer.
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

/** Parses a start: the number of words of argv, the words, and the environment. */
function parseStart(fields: readonly string[]): CliStart {
  const count = Number(fields[0]);
  const environment = fields.slice(1 + count).map((entry): [string, string] => {
    const at = entry.indexOf("=");
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
  const given = environment.filter(([name]) => !NOT_GIVEN.has(name));
  return { argv: fields.slice(1, 1 + count), env: Object.fromEntries(given) };
}

/** Encodes fields: the length in four bytes, then the fields separated by NUL, which no field can contain. */
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
      // The socket keeps flowing, so that the end of the process is seen as the end of its connection.
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

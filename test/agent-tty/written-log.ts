import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Home } from "agent-tty";

/** An event as a test writes it: output as bytes, all other events as in the Event Log. */
export type WrittenEvent = { output: Buffer; t?: number } | { type: string; [field: string]: unknown };

export interface WrittenLog {
  sessionId: string;
  directory: string;
  events: string;
  output: Buffer;
}

/** Writes an exited Session with the given history into a home, in the documented format. */
export async function writeSession(
  home: Home,
  history: readonly WrittenEvent[],
  size: { cols: number; rows: number } = { cols: 40, rows: 10 },
): Promise<WrittenLog> {
  const sessionId = home.ids.ulid();
  const directory = join(home.directory, "sessions", sessionId);
  const output: Buffer[] = [];
  let offset = 0;
  const started = { type: "started", wallMs: 1_700_000_000_000, term: "xterm-256color", ...size };
  const records = [started, ...history].map((event, index) => {
    const identity = { seq: index + 1, t: index * 10 };
    if (!("output" in event)) return Object.assign(identity, event);
    const bytes = event.output as Buffer;
    output.push(bytes);
    offset += bytes.byteLength;
    const range = { offset: offset - bytes.byteLength, length: bytes.byteLength };
    const at = event.t === undefined ? {} : { t: event.t };
    return Object.assign(identity, { type: "output" }, range, at);
  });
  const log = {
    sessionId,
    directory,
    events: records.map((record) => `${JSON.stringify(record)}\n`).join(""),
    output: Buffer.concat(output),
  };
  await mkdir(directory);
  await writeFile(join(directory, "session.json"), JSON.stringify(manifest(sessionId, size)));
  await writeFile(join(directory, "events.jsonl"), log.events);
  await writeFile(join(directory, "output.bin"), log.output);
  return log;
}

function manifest(sessionId: string, size: { cols: number; rows: number }): object {
  return {
    version: 1,
    sessionId,
    name: null,
    status: "exited",
    command: ["sh"],
    cwd: "/",
    environmentNames: [],
    term: "xterm-256color",
    ...size,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    hostPid: 1,
    hostStartTicks: null,
    childPid: 1,
    exit: { type: "code", code: 0 },
    failure: null,
  };
}

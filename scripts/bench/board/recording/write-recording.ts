import type { Home } from "agent-tty";
import { type Clock, systemClock } from "agent-tty/kit";
import { Checkpointer } from "../../../../src/agent-tty/host/checkpointer.ts";
import { EventLogWriter } from "../../../../src/agent-tty/log/index.ts";
import { createScreen } from "../../../../src/agent-tty/screen/index.ts";

const SIZE = { cols: 100, rows: 30 };
/** The time between two records of the recording. */
export const RECORD_EVERY_MS = 20;
const RECORD_BYTES = 4_096;

export interface WrittenRecording {
  sessionId: string;
  records: number;
}

/**
 * Writes a Session whose program printed `sizeBytes` bytes, with the engine's own writer of Event Logs and checkpoints, as a host
 * does. A coding TUI is imitated: it repaints its screen in colours, and one in eight records is scrolled output. The first row
 * shows the number of the record.
 */
export async function writeRecording(home: Home, sizeBytes: number): Promise<WrittenRecording> {
  const sessionId = home.ids.ulid();
  const directory = await home.createSessionDirectory(sessionId);
  const records = Math.ceil(sizeBytes / RECORD_BYTES);
  let passedMs = 0;
  const clock: Clock = { ...systemClock, monotonicMs: () => passedMs };
  let resume: () => void = () => undefined;
  const log = await EventLogWriter.open({
    directory,
    clock,
    maxBytes: Number.MAX_SAFE_INTEGER,
    onFailure: (error) => {
      throw error;
    },
    onDrain: () => resume(),
  });
  using screen = createScreen(SIZE);
  const checkpointer = new Checkpointer(directory, log, screen);
  log.append({ type: "started", wallMs: systemClock.nowMs(), term: "xterm-256color", ...SIZE });
  for (let record = 1; record <= records; record += 1) {
    passedMs = record * RECORD_EVERY_MS;
    const bytes = outputOf(record);
    const seq = log.appendOutput(bytes);
    screen.write(bytes, seq);
    checkpointer.onOutput(bytes.byteLength);
    log.seal();
    if (record % 64 === 0) await log.flush();
  }
  log.append({ type: "exit", exit: { type: "code", code: 0 } });
  await checkpointer.close();
  await log.close();
  const at = new Date(systemClock.nowMs()).toISOString();
  await home.writeManifest({
    version: 1,
    sessionId,
    name: null,
    status: "exited",
    command: ["bench"],
    cwd: "/",
    environmentNames: [],
    term: "xterm-256color",
    ...SIZE,
    createdAt: at,
    updatedAt: at,
    hostPid: 1,
    hostStartTicks: null,
    childPid: 1,
    exit: { type: "code", code: 0 },
    failure: null,
  });
  return { sessionId, records };
}

/** Returns the text of the first row after a record. */
export function headOf(record: number): string {
  return `record ${record} of the bench`;
}

function outputOf(record: number): Uint8Array {
  const { cols, rows } = SIZE;
  const body: string[] = [];
  let length = 0;
  for (let row = 2; length < RECORD_BYTES - 160; row = row === rows - 1 ? 2 : row + 1) {
    const words = `line ${(record * 31 + row * 7) % 9973} of step ${record % 1009} `
      .repeat(4)
      .slice(0, cols - 2);
    const line =
      record % 8 === 0
        ? `\x1b[${rows};1H\r\n\x1b[3${row % 8}m${words}\x1b[0m`
        : `\x1b[${row};1H\x1b[38;5;${(record + row) % 256}m${words}\x1b[0m\x1b[K`;
    body.push(line);
    length += line.length;
  }
  const head = `\x1b[?2026h${body.join("")}\x1b[1;1H\x1b[7m${headOf(record)}\x1b[0m\x1b[K\x1b[?2026l`;
  return Buffer.from(head.padEnd(RECORD_BYTES, "\0"));
}

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import * as z from "zod/mini";
import type { Home } from "../../home/index.ts";
import { type Clock, messageOf, OperationalError } from "../../kit/index.ts";
import { readEvents, TerminalSafeText } from "../../log/index.ts";
import { RESET_TERMINAL } from "../own-terminal.ts";

interface Frame {
  atMs: number;
  bytes: Uint8Array;
}

export interface PlayOptions {
  speed: number;
  /** The longest pause, in milliseconds of the recording. */
  idleLimitMs: number;
  clock: Clock;
  signal: AbortSignal;
  write(bytes: Uint8Array): void;
}

/** Plays the output of a Session or an asciicast file in the person's terminal. Ends without an error when the signal aborts. */
export async function play(home: () => Promise<Home>, target: string, options: PlayOptions): Promise<void> {
  const isFile = target.includes("/") || target.endsWith(".cast");
  const frames = isFile ? castFrames(target) : sessionFrames(await home(), target);
  const safe = new TerminalSafeText();
  let lastMs = 0;
  let hasPlayed = false;
  try {
    for await (const frame of frames) {
      const gapMs = Math.min(Math.max(0, frame.atMs - lastMs), options.idleLimitMs) / options.speed;
      lastMs = frame.atMs;
      if (gapMs > 0) await options.clock.sleep(gapMs, options.signal);
      options.signal.throwIfAborted();
      hasPlayed = true;
      options.write(safe.push(frame.bytes));
    }
  } catch (error) {
    if (!options.signal.aborted) throw error;
  } finally {
    if (hasPlayed) options.write(Buffer.from(RESET_TERMINAL));
  }
}

async function* sessionFrames(home: Home, sessionId: string): AsyncGenerator<Frame> {
  await home.readManifest(sessionId);
  for await (const { record, bytes } of readEvents(home.sessionDirectory(sessionId))) {
    if (record.type === "output") yield { atMs: record.t, bytes };
  }
}

const castEvent = z.tuple([z.number(), z.string(), z.string()]);

async function* castFrames(path: string): AsyncGenerator<Frame> {
  await stat(path).catch((error: unknown) => {
    throw unreadable(path, messageOf(error));
  });
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    line += 1;
    const value = parseLine(path, line, text);
    if (line === 1) {
      if (!z.object({ version: z.literal(2) }).safeParse(value).success)
        throw unreadable(path, "line 1 is not an asciicast v2 header");
      continue;
    }
    const event = castEvent.safeParse(value);
    if (!event.success) throw unreadable(path, `line ${line} is not an asciicast event`);
    const [seconds, code, data] = event.data;
    if (code === "o") yield { atMs: seconds * 1000, bytes: Buffer.from(data) };
  }
  if (line === 0) throw unreadable(path, "it is empty");
}

function parseLine(path: string, line: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(path, `line ${line} is not JSON`);
  }
}

function unreadable(path: string, reason: string): OperationalError<"RECORDING_UNREADABLE"> {
  return new OperationalError({
    code: "RECORDING_UNREADABLE",
    message: `cannot play ${path}: ${reason}`,
    remedy: "Give a Session id or an asciicast v2 file, as `agent-tty record export` writes it",
  });
}

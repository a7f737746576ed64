import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import { type Home, PRIVATE_FILE_MODE } from "../home/index.ts";
import { messageOf, OperationalError } from "../kit/index.ts";
import { type LogDamage, type LoggedEvent, readEvents } from "../log/index.ts";
import type { CaptureErrorCode } from "./capture-error.ts";

/** `accelerated` cuts idle gaps to `ACCELERATED_GAP_MS`; `max-speed` has none. */
export type CastTiming = "recorded" | "accelerated" | "max-speed";

const ACCELERATED_GAP_MS = 500;

export interface AsciicastOptions {
  /** Default `recorded`: every gap as it was. */
  timing?: CastTiming;
  onDamage?: (damage: LogDamage) => void;
  signal?: AbortSignal;
}

export interface AsciicastExport {
  path: string;
  sizeBytes: number;
  durationMs: number;
}

/**
 * Streams the Event Log into an asciicast v2 file (https://docs.asciinema.org/manual/asciicast/v2/) with its resizes
 * and marks. Bytes that are not UTF-8 become U+FFFD. Input is left out: what was typed unseen may be a secret.
 * Rejects with SESSION_NOT_FOUND, SESSION_UNREADABLE or EXPORT_FAILED.
 */
export async function exportAsciicast(
  home: Home,
  sessionId: string,
  path: string,
  options: AsciicastOptions = {},
): Promise<AsciicastExport> {
  const manifest = await home.readManifest(sessionId);
  const directory = home.sessionDirectory(sessionId);
  const temporary = `${path}.${home.ids.hex(4)}.tmp`;
  const totals = { sizeBytes: 0, durationMs: 0 };
  const events = readEvents(directory, options.onDamage === undefined ? {} : { onDamage: options.onDamage });
  const lines = castLines(events, { title: manifest.name, timing: options.timing ?? "recorded" }, totals);
  try {
    await pipeline(
      Readable.from(lines),
      createWriteStream(temporary, { flags: "wx", mode: PRIVATE_FILE_MODE }),
      options.signal === undefined ? {} : { signal: options.signal },
    );
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    options.signal?.throwIfAborted();
    throw new OperationalError<CaptureErrorCode>({
      code: "EXPORT_FAILED",
      message: `cannot write the recording of Session ${sessionId} to ${path}: ${messageOf(error)}`,
      remedy: "check that the directory exists, is writable and has space",
      details: { path },
      cause: error,
    });
  }
  return { path, ...totals };
}

async function* castLines(
  events: AsyncIterable<LoggedEvent>,
  header: { title: string | null; timing: CastTiming },
  totals: { sizeBytes: number; durationMs: number },
): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let lastMs = 0;
  for await (const event of events) {
    const gapMs = Math.max(0, event.record.t - lastMs);
    const text = castLine(event, decoder, header.title, totals.durationMs + shownGap(gapMs, header.timing));
    if (text === null) continue;
    totals.durationMs += shownGap(gapMs, header.timing);
    lastMs = Math.max(lastMs, event.record.t);
    totals.sizeBytes += Buffer.byteLength(text);
    yield text;
  }
}

function castLine(
  { record, bytes }: LoggedEvent,
  decoder: StringDecoder,
  title: string | null,
  atMs: number,
): string | null {
  const event = (code: string, data: string): string =>
    `${JSON.stringify([Math.round(atMs * 1000) / 1_000_000, code, data])}\n`;
  switch (record.type) {
    case "started":
      return headerLine(record, title);
    case "output": {
      const text = decoder.write(bytes);
      return text === "" ? null : event("o", text);
    }
    case "resize":
      return event("r", `${record.cols}x${record.rows}`);
    case "mark":
      return event("m", record.label);
    case "input":
    case "signal":
    case "run-started":
    case "run-completed":
    case "status":
    case "exit":
      return null;
    default:
      return record satisfies never;
  }
}

function headerLine(
  started: { cols: number; rows: number; wallMs: number; term: string },
  title: string | null,
): string {
  return `${JSON.stringify({
    version: 2,
    width: started.cols,
    height: started.rows,
    timestamp: Math.floor(started.wallMs / 1000),
    ...(title === null ? {} : { title }),
    env: { TERM: started.term },
  })}\n`;
}

function shownGap(gapMs: number, timing: CastTiming): number {
  switch (timing) {
    case "recorded":
      return gapMs;
    case "accelerated":
      return Math.min(gapMs, ACCELERATED_GAP_MS);
    case "max-speed":
      return 0;
    default:
      return timing satisfies never;
  }
}

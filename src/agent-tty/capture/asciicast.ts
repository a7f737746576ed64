import { StringDecoder } from "node:string_decoder";
import type { Home } from "../home/index.ts";
import { type LoggedEvent, readEvents } from "../log/index.ts";
import { exportChunks, type RecordingExport, type RecordingOptions } from "./export-file.ts";
import { type CastTiming, shownGap } from "./timing.ts";

/**
 * Streams the Event Log into an asciicast v2 file (https://docs.asciinema.org/manual/asciicast/v2/) with its resizes
 * and marks. Bytes that are not UTF-8 become U+FFFD. Input is left out, because text that was typed without echo may be a secret.
 * Rejects with SESSION_NOT_FOUND, SESSION_UNREADABLE or EXPORT_FAILED.
 */
export async function exportAsciicast(
  home: Home,
  sessionId: string,
  path: string,
  options: RecordingOptions = {},
): Promise<RecordingExport> {
  const cast = await openCast(home, sessionId, options);
  const { sizeBytes } = await exportChunks(home, { sessionId, path }, cast.lines, options.signal);
  return { path, sizeBytes, durationMs: cast.totals.durationMs };
}

/** Opens the asciicast as lines that are produced while they are read; `totals` is complete once all lines are read. */
export async function openCast(
  home: Home,
  sessionId: string,
  options: RecordingOptions,
): Promise<{ lines: AsyncGenerator<string>; totals: { durationMs: number } }> {
  const manifest = await home.readManifest(sessionId);
  const { onDamage, timing = "recorded" } = options;
  const events = readEvents(home.sessionDirectory(sessionId), onDamage === undefined ? {} : { onDamage });
  const totals = { durationMs: 0 };
  return { lines: castLines(events, { title: manifest.name, timing }, totals), totals };
}

async function* castLines(
  events: AsyncIterable<LoggedEvent>,
  header: { title: string | null; timing: CastTiming },
  totals: { durationMs: number },
): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let lastMs = 0;
  for await (const event of events) {
    const gapMs = Math.max(0, event.record.t - lastMs);
    const text = castLine(event, decoder, header.title, totals.durationMs + shownGap(gapMs, header.timing));
    if (text === null) continue;
    totals.durationMs += shownGap(gapMs, header.timing);
    lastMs = Math.max(lastMs, event.record.t);
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
    case "gap":
      return event("m", `${record.droppedBytes} bytes of output dropped`);
    case "input":
    case "signal":
    case "run-started":
    case "run-completed":
    case "restarted":
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

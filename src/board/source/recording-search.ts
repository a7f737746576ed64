import { setImmediate } from "node:timers/promises";
import { eventsFrom, type Home, PlainText } from "agent-tty";
import type { RecordingHit, RecordingSearchDocument } from "../api/index.ts";

export interface SearchLimits {
  /** The maximum number of hits in one answer. */
  searchHits: number;
  /** The maximum output, in bytes, that is read for one answer. */
  searchBytes: number;
}

export interface RecordingQuery {
  /** The text to find; case is ignored. */
  text: string;
  /** The sequence after which the search begins; 0: everything is searched. */
  afterSeq: number;
}

/** The maximum number of characters that are kept of a line that the end of a record has cut. */
const MAX_OPEN_LINE = 4_096;
/** The number of characters that a hit shows before and after the found text. */
const CONTEXT = 80;
/** The number of other lines after which a line that a program paints again is a new hit. */
const REMEMBERED_LINES = 256;
/**
 * At a limit, a search continues to the end of the line, for at most this many bytes, because the next search does not know the
 * earlier part of the line.
 */
const MAX_READ_ON_BYTES = 256 * 1024;
/** The number of bytes after which other requests are answered. */
const TURN_BYTES = 256 * 1024;

/**
 * Searches the text that a Session's program printed, line by line, without control sequences (B5). It streams the Event Log and
 * stops at a limit or at the signal: the next search then continues after `nextSeq`.
 */
export async function searchRecording(
  home: Home,
  sessionId: string,
  query: RecordingQuery,
  { limits, signal }: { limits: SearchLimits; signal: AbortSignal },
): Promise<RecordingSearchDocument> {
  const search = new LineSearch(query.text);
  const hits: RecordingHit[] = [];
  let [readBytes, readOnBytes, sinceTurn, searchedMs] = [0, 0, 0, 0];
  const answer = (nextSeq: number | null): RecordingSearchDocument => ({
    schema: "afk-triage/board-recording-search@1",
    hits,
    searchedMs,
    nextSeq,
  });
  for await (const { record, bytes } of eventsFrom(home, sessionId, query.afterSeq + 1)) {
    searchedMs = record.t;
    if (record.type !== "output") continue;
    for (const found of search.push(bytes)) hits.push({ ...found, seq: record.seq, tMs: record.t });
    readBytes += bytes.byteLength;
    sinceTurn += bytes.byteLength;
    const isFull = hits.length >= limits.searchHits || readBytes >= limits.searchBytes;
    if (isFull) readOnBytes += bytes.byteLength;
    if (isFull && (search.isBetweenLines || readOnBytes > MAX_READ_ON_BYTES)) return answer(record.seq);
    if (sinceTurn < TURN_BYTES) continue;
    sinceTurn = 0;
    await setImmediate();
    if (signal.aborted) return answer(record.seq);
  }
  return answer(null);
}

type FoundLine = Pick<RecordingHit, "before" | "found" | "after">;

/** Finds a text in output that arrives in pieces. */
class LineSearch {
  readonly #wanted: string;
  readonly #plain = new PlainText({ cursorMoves: "line-ends" });
  readonly #decoder = new TextDecoder();
  readonly #recent = new Set<string>();
  /** The unfinished line at the end of the last piece. */
  #open = "";

  constructor(text: string) {
    this.#wanted = text.toLowerCase();
  }

  get isBetweenLines(): boolean {
    return this.#open === "";
  }

  push(bytes: Uint8Array): FoundLine[] {
    const openLength = this.#open.length;
    const text = this.#open + this.#decoder.decode(this.#plain.push(bytes), { stream: true });
    const lineStart = text.lastIndexOf("\n") + 1;
    this.#open = text.slice(Math.max(lineStart, text.length - MAX_OPEN_LINE));
    const lower = text.toLowerCase();
    // Offsets in the lower-case text fit the text itself only if both have the same length.
    const searched = lower.length === text.length ? lower : text;
    const found: FoundLine[] = [];
    const { length } = this.#wanted;
    for (let at = searched.indexOf(this.#wanted); at !== -1;) {
      const end = endOfLine(text, at);
      if (at + length > openLength) {
        const line = lineAround(text, at, length, end);
        if (this.#isNew(`${line.before}${line.found}${line.after}`)) found.push(line);
      }
      at = searched.indexOf(this.#wanted, end);
    }
    return found;
  }

  #isNew(line: string): boolean {
    const isKnown = this.#recent.delete(line);
    this.#recent.add(line);
    const [oldest] = this.#recent;
    if (this.#recent.size > REMEMBERED_LINES && oldest !== undefined) this.#recent.delete(oldest);
    return !isKnown;
  }
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function lineAround(text: string, at: number, length: number, end: number): FoundLine {
  const start = text.lastIndexOf("\n", at) + 1;
  return {
    before: text.slice(Math.max(start, at - CONTEXT), at).trimStart(),
    found: text.slice(at, at + length),
    after: text.slice(at + length, Math.min(end, at + length + CONTEXT)).trimEnd(),
  };
}

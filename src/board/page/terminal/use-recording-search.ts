import { useEffect, useState } from "preact/hooks";
import type { RecordingHit, RecordingSearchDocument } from "../../api/index.ts";
import { browserClock } from "../browser/index.ts";
import { type Failure, failureOf } from "../data/index.ts";

/** Returns the hits in one bounded part of a search, which begins after a sequence. */
export type SearchLoader = (
  text: string,
  afterSeq: number,
  signal: AbortSignal,
) => Promise<RecordingSearchDocument>;

/** The number of further results after which the search stops and asks whether to continue. */
const STOP_EVERY = 500;
/** The time that the search waits for further typing, in milliseconds. */
const PAUSE_MS = 250;

export interface RecordingSearch {
  hits: readonly RecordingHit[];
  /** The time up to which the output was searched, in milliseconds since the Session's start. */
  searchedMs: number;
  state: "idle" | "searching" | "stopped" | "complete";
  failure: Failure | null;
  /** Continues the search after a stop. */
  goOn: () => void;
}

const NOTHING = { hits: [], searchedMs: 0, state: "idle", failure: null } as const;

/** Returns the state of a search, which proceeds part by part until the end or the next stop. Another text cancels the search. */
export function useRecordingSearch(text: string, load: SearchLoader): RecordingSearch {
  const [found, setFound] = useState<Omit<RecordingSearch, "goOn">>(NOTHING);
  const [stops, setStops] = useState({ text, limit: STOP_EVERY, afterSeq: 0 });
  const from = stops.text === text ? stops : { text, limit: STOP_EVERY, afterSeq: 0 };
  const [nextSeq, setNextSeq] = useState(0);
  useEffect(() => {
    if (from.afterSeq === 0) setFound(NOTHING);
    if (text === "") return undefined;
    const stop = new AbortController();
    const before = from.afterSeq === 0 ? [] : found.hits;
    const run = async (): Promise<void> => {
      const all: RecordingHit[] = [...before];
      for (let afterSeq: number | null = from.afterSeq; afterSeq !== null;) {
        const part: RecordingSearchDocument = await load(text, afterSeq, stop.signal);
        if (stop.signal.aborted) return;
        all.push(...part.hits);
        const hits = all.slice();
        afterSeq = part.nextSeq;
        const isStopped = afterSeq !== null && hits.length >= from.limit;
        const state = afterSeq === null ? "complete" : isStopped ? "stopped" : "searching";
        setFound({ hits, searchedMs: part.searchedMs, state, failure: null });
        if (isStopped) return setNextSeq(afterSeq ?? 0);
      }
    };
    const begin = (): void => {
      setFound((shown) => ({ ...shown, state: "searching", failure: null }));
      run().catch((error: unknown) => {
        if (!stop.signal.aborted)
          setFound((shown) => ({ ...shown, state: "stopped", failure: failureOf(error) }));
      });
    };
    const cancel = browserClock.schedule(from.afterSeq === 0 ? PAUSE_MS : 0, begin);
    return () => {
      cancel();
      stop.abort();
    };
    // `load` is a new function in every render.
  }, [text, from.afterSeq]);
  const goOn = (): void => setStops({ text, limit: found.hits.length + STOP_EVERY, afterSeq: nextSeq });
  return { ...found, goOn };
}

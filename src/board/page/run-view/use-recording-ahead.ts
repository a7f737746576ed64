import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RecordingDocument, RunDocument } from "../../api/index.ts";
import type { BoardData } from "../data/index.ts";
import { loadScreen } from "../terminal/index.ts";

/** A recording of the Triage Agent's terminal that is being read; null: it has not been requested yet. */
export type RecordingAhead = Promise<RecordingDocument> | null;

/**
 * Reads what the terminal's tab needs at the same time as the run's document instead of after it (B5): the script of terminals,
 * and the recording unless the run is known to be in progress. Returns a function that returns the recording for a document of
 * the run.
 */
export function useRecordingAhead(
  data: BoardData,
  id: string,
  needed: { isTerminal: boolean; isUnderWay: boolean },
): (document: RunDocument) => RecordingAhead {
  const [{ ahead, stop }] = useState(() => {
    const stop = new AbortController();
    if (!needed.isTerminal || needed.isUnderWay) return { ahead: null, stop };
    const ahead = data.recording(id, "triage-agent", null, stop.signal);
    // The view of the recording reports a failure, so it is ignored here. For a run without a terminal, a failure is expected.
    ahead.catch(() => undefined);
    return { ahead, stop };
  });
  useLayoutEffect(() => () => stop.abort(), []);
  useLayoutEffect(() => {
    if (needed.isTerminal) void loadScreen().catch(() => undefined);
  }, [needed.isTerminal]);
  // The recording of a run in progress grows, so a recording that was read at that time is not used once the run has settled.
  const isComplete = useRef(true);
  return ({ run }) => {
    if (run.end === null) isComplete.current = false;
    return isComplete.current ? ahead : null;
  };
}

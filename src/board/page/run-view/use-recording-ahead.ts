import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RecordingDocument, RunDocument } from "../../api/index.ts";
import type { BoardData } from "../data/index.ts";
import { loadScreen } from "../terminal/index.ts";

/** The recording of a Triage Agent's terminal that is being read; null: nobody has asked for it yet. */
export type RecordingAhead = Promise<RecordingDocument> | null;

/**
 * Reads what the tab of the terminal needs beside the run's document instead of after it (B5): the script of terminals, and the
 * recording unless the run is known to be under way. Returns a function that gives the recording for a document of the run.
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
    // The view of the recording reports a failure. For a run without a terminal the failure is expected and is ignored.
    ahead.catch(() => undefined);
    return { ahead, stop };
  });
  useLayoutEffect(() => () => stop.abort(), []);
  useLayoutEffect(() => {
    if (needed.isTerminal) void loadScreen().catch(() => undefined);
  }, [needed.isTerminal]);
  // The recording of a run under way grows, so what was read then is not used once the run has settled.
  const isComplete = useRef(true);
  return ({ run }) => {
    if (run.end === null) isComplete.current = false;
    return isComplete.current ? ahead : null;
  };
}

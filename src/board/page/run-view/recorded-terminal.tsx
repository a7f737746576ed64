import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { TrackedStateDocument } from "../../api/index.ts";
import { afterFirstView } from "../browser/index.ts";
import { FailureNotice, Reading } from "../chrome/index.ts";
import type { BoardData, TerminalName } from "../data/index.ts";
import { route, routeHash, useDocument } from "../model/index.ts";
import { Replay } from "../terminal/index.ts";
import type { RecordingAhead } from "./use-recording-ahead.ts";
import type { ShownState } from "./use-live-state.ts";

interface RecordedTerminalProps {
  data: BoardData;
  id: string;
  terminal: TerminalName;
  name: string;
  /** The recording, if it is already being read. */
  ahead?: RecordingAhead;
  onMoment?: (moment: ShownState) => void;
}

/** Renders the recording of a Session. */
export function RecordedTerminal({
  data,
  id,
  terminal,
  name,
  ahead = null,
  onMoment,
}: RecordedTerminalProps): JSX.Element {
  const key = `${id} ${terminal}`;
  const recording = useDocument(key, (signal) => ahead ?? data.recording(id, terminal, null, signal));
  // A Triage Agent without a TUI has no states; its recording is shown anyway. They are read after the first view, because the
  // server has to replay the recording to compute them.
  const states = useDocument(key, async (signal) => {
    await afterFirstView();
    return data.states(id, terminal, signal);
  });
  const shown = route.value;
  const isLinked = terminal === "triage-agent" && shown.view === "run" && shown.id === id;
  const [state, setState] = useState<TrackedStateDocument | null>(null);
  const series = states.type === "read" ? states.document : null;
  const reason =
    states.type === "reading"
      ? "reading the tracked states …"
      : series === null || series.states.length === 0
        ? WITHOUT_TUI
        : "no state was tracked yet at this time";
  useEffect(() => onMoment?.({ state, reason }), [state, reason]);
  if (recording.type === "failed") return <FailureNotice failure={recording.failure} />;
  if (recording.type === "reading") return <Reading what="the recording" />;
  return (
    <Replay
      name={name}
      recording={recording.document}
      states={series}
      startsAt={isLinked ? (shown.tMs ?? "end") : "end"}
      {...(isLinked ? { linkTo: (tMs: number) => routeHash({ view: "run", id, tab: "terminal", tMs }) } : {})}
      {...(data.source === "live"
        ? {
            load: (atMs: number, signal: AbortSignal) => data.recording(id, terminal, atMs, signal),
            search: (text: string, afterSeq: number, signal: AbortSignal) =>
              data.searchRecording(id, terminal, { text, afterSeq }, signal),
          }
        : {})}
      onMoment={setState}
    />
  );
}

const WITHOUT_TUI = "No coding TUI was seen in this terminal, so there are no tracked states.";

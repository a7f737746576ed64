import type { JSX } from "preact";
import type { TrackedStateDocument } from "../../api/index.ts";
import { FailureNotice, Reading } from "../chrome/index.ts";
import type { BoardData, TerminalName } from "../data/index.ts";
import { useDocument } from "../model/index.ts";
import { Replay } from "../terminal/index.ts";

interface RecordedTerminalProps {
  data: BoardData;
  id: string;
  terminal: TerminalName;
  name: string;
  onMoment?: (state: TrackedStateDocument | null) => void;
}

export function RecordedTerminal({ data, id, terminal, name, onMoment }: RecordedTerminalProps): JSX.Element {
  const key = `${id} ${terminal}`;
  const recording = useDocument(key, (signal) => data.recording(id, terminal, signal));
  // A Triage Agent without a TUI has no states: the recording is shown all the same.
  const states = useDocument(key, (signal) => data.states(id, terminal, signal));
  if (recording.type === "failed") return <FailureNotice failure={recording.failure} />;
  if (recording.type === "reading" || states.type === "reading") return <Reading what="the recording" />;
  return (
    <Replay
      name={name}
      recording={recording.document}
      states={states.type === "read" ? states.document : null}
      startsAt="end"
      {...(onMoment === undefined ? {} : { onMoment })}
    />
  );
}

import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RecordingDocument, StateSeriesDocument, TrackedStateDocument } from "../../api/index.ts";
import { FailureNotice, useKeys } from "../chrome/index.ts";
import { useDocument } from "../model/index.ts";
import { FullScreenButton } from "./full-screen.tsx";
import { loadScreen } from "./load-screen.ts";
import { Player } from "./player.ts";
import { PlayerControls } from "./player-controls.tsx";
import { PLAYER_PX } from "./room-below.ts";
import { marksOf, stateAt } from "./time-line.ts";

interface ReplayProps {
  name: string;
  recording: RecordingDocument;
  states: StateSeriesDocument | null;
  /** Called with the tracked state at the displayed moment. */
  onMoment?: (state: TrackedStateDocument | null, tMs: number) => void;
  /** The position to begin at: a finished run shows its last screen first. */
  startsAt: number | "end";
  /** Returns the address of a moment; absent: moments have none. */
  linkTo?: (tMs: number) => string;
  /** Reads another part of a long recording; absent: there is no other part. */
  load?: (atMs: number, signal: AbortSignal) => Promise<RecordingDocument>;
}

const LEAP_MS = 5_000;

/** Renders a recording with its controls. */
export function Replay({
  name,
  recording,
  states,
  onMoment,
  startsAt,
  linkTo,
  load,
}: ReplayProps): JSX.Element {
  const container = useRef<HTMLDivElement>(null);
  const [player, setPlayer] = useState<Player | null>(null);
  const shown = player?.recording.value ?? recording;
  const marks = useMemo(() => marksOf(shown, states), [shown, states]);
  const script = useDocument("terminal script", loadScreen);
  useEffect(() => {
    if (container.current === null || script.type !== "read") return undefined;
    const screen = new script.document(container.current, PLAYER_PX);
    const made = new Player(recording, screen, load ?? null);
    made.seek(startsAt === "end" ? recording.durationMs : startsAt);
    setPlayer(made);
    return () => {
      made.close();
      screen.close();
    };
  }, [recording, script.type]);
  // Another link to this recording was followed.
  useEffect(() => void (startsAt !== "end" && player?.seek(startsAt)), [startsAt]);
  const atMs = player?.atMs.value ?? 0;
  const state = useMemo(() => stateAt(states, atMs), [states, atMs]);
  useEffect(() => onMoment?.(state, atMs), [state]);
  const toMark = (direction: 1 | -1): void => {
    const found =
      direction === 1 ? marks.find(({ tMs }) => tMs > atMs) : marks.findLast(({ tMs }) => tMs < atMs);
    if (found !== undefined) player?.seek(found.tMs);
  };
  useKeys(player === null ? {} : playerKeys(player, toMark));
  return (
    <div class="replay">
      {script.type === "failed" ? <FailureNotice failure={script.failure} /> : null}
      <div class="terminal-frame">
        <FullScreenButton />
        <div ref={container} class="terminal" role="region" aria-label={name} />
      </div>
      {recording.isTruncated && load === undefined ? (
        <p class="muted small">The recording is long, so its beginning is left out.</p>
      ) : null}
      {player?.failure.value == null ? null : <FailureNotice failure={player.failure.value} />}
      {player === null ? null : (
        <PlayerControls
          player={player}
          marks={marks}
          states={states}
          state={state}
          onMark={toMark}
          {...(linkTo === undefined ? {} : { link: linkTo(atMs) })}
        />
      )}
    </div>
  );
}

function playerKeys(
  player: Player,
  toMark: (direction: 1 | -1) => void,
): Record<string, (event: KeyboardEvent) => void> {
  const key = (action: () => void) => (event: KeyboardEvent) => {
    event.preventDefault();
    action();
  };
  return {
    " ": (event) => {
      // A focused button handles the key itself.
      if (!(event.target instanceof HTMLButtonElement)) key(() => player.toggle())(event);
    },
    ArrowLeft: key(() => player.seek(player.atMs.value - LEAP_MS)),
    ArrowRight: key(() => player.seek(player.atMs.value + LEAP_MS)),
    ",": key(() => player.step(-1)),
    ".": key(() => player.step(1)),
    "[": key(() => toMark(-1)),
    "]": key(() => toMark(1)),
    Home: key(() => player.seek(player.startMs)),
    End: key(() => player.seek(player.durationMs)),
  };
}

import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RecordingDocument, StateSeriesDocument, TrackedStateDocument } from "../../api/index.ts";
import { firstViewIsDrawn } from "../browser/index.ts";
import { FailureNotice, useKeys } from "../chrome/index.ts";
import { useDocument } from "../model/index.ts";
import { FullScreenButton } from "./full-screen.tsx";
import { loadScreen, loadWideCharacters } from "./load-screen.ts";
import { Player } from "./player.ts";
import { PlayerControls } from "./player-controls.tsx";
import { PLAYER_PX } from "./room-below.ts";
import { SearchPanel } from "./search-panel.tsx";
import type { TerminalScreen } from "./terminal-screen.ts";
import type { SearchLoader } from "./use-recording-search.ts";
import { marksOf, stateAt } from "./time-line.ts";

interface ReplayProps {
  name: string;
  recording: RecordingDocument;
  states: StateSeriesDocument | null;
  /** Called with the tracked state at the displayed moment. */
  onMoment?: (state: TrackedStateDocument | null) => void;
  /** The position at which to begin; "end", because a finished run shows its last screen first. */
  startsAt: number | "end";
  /** Returns the URL of a moment; absent: moments have no URL. */
  linkTo?: (tMs: number) => string;
  /** Reads another part of a long recording; absent: there is no other part. */
  load?: (atMs: number, signal: AbortSignal) => Promise<RecordingDocument>;
  /** Searches the recording's text; absent: it cannot be searched. */
  search?: SearchLoader;
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
  search,
}: ReplayProps): JSX.Element {
  const container = useRef<HTMLDivElement>(null);
  const [player, setPlayer] = useState<Player | null>(null);
  const [screen, setScreen] = useState<TerminalScreen | null>(null);
  const [isSearching, setIsSearching] = useState(false);
  const shown = player?.recording.value ?? recording;
  const marks = useMemo(() => marksOf(shown, states), [shown, states]);
  const script = useDocument("terminal script", loadScreen);
  useLayoutEffect(() => {
    if (container.current === null || script.type !== "read") return undefined;
    const drawn = new script.document(container.current, PLAYER_PX, loadWideCharacters);
    const made = new Player(recording, drawn, load ?? null);
    made.seek(startsAt === "end" ? recording.durationMs : startsAt);
    drawn.whenShown(firstViewIsDrawn);
    setPlayer(made);
    setScreen(drawn);
    return () => {
      made.close();
      drawn.close();
    };
  }, [recording, script.type]);
  // The player seeks when another link to this recording was followed.
  useEffect(() => player?.seek(startsAt === "end" ? player.durationMs : startsAt), [startsAt]);
  const atMs = player?.atMs.value ?? 0;
  const state = useMemo(() => stateAt(states, atMs), [states, atMs]);
  useEffect(() => onMoment?.(state), [state]);
  const toMark = (direction: 1 | -1): void => {
    const found =
      direction === 1 ? marks.find(({ tMs }) => tMs > atMs) : marks.findLast(({ tMs }) => tMs < atMs);
    if (found !== undefined) player?.seek(found.tMs);
  };
  useKeys(player === null ? {} : playerKeys(player, toMark));
  const openSearch = (event: Event): void => {
    event.preventDefault();
    setIsSearching(true);
  };
  useKeys(search === undefined ? {} : { "/": openSearch });
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
          {...(screen === null ? {} : { text: () => screen.text() })}
          {...(search === undefined ? {} : { onSearch: openSearch })}
          {...(linkTo === undefined ? {} : { link: linkTo(atMs) })}
        />
      )}
      {player === null || search === undefined || !isSearching ? null : (
        <SearchPanel
          load={search}
          durationMs={player.durationMs}
          onHit={(tMs) => {
            player.pause();
            player.seek(tMs);
          }}
          onClose={() => {
            setIsSearching(false);
            container.current?.closest(".replay")?.querySelector<HTMLElement>(".open-search")?.focus();
          }}
        />
      )}
    </div>
  );
}

function playerKeys(
  player: Player,
  toMark: (direction: 1 | -1) => void,
): Record<string, (event: KeyboardEvent) => void> {
  // A focused element that uses the key itself keeps it: a text scrolls, and the space bar operates controls.
  const key =
    (action: () => void, users = "pre") =>
    (event: KeyboardEvent) => {
      if (event.target instanceof Element && event.target.matches(users)) return;
      event.preventDefault();
      action();
    };
  return {
    " ": key(() => player.toggle(), "pre, button, summary, [type=checkbox]"),
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

import type { JSX } from "preact";
import type { StateSeriesDocument, TrackedStateDocument } from "../../api/index.ts";
import { IconButton } from "../chrome/index.ts";
import { formatClock, words } from "../model/index.ts";
import { CopyButton } from "./copy-button.tsx";
import { type Player, speeds } from "./player.ts";
import { TimeLine } from "./time-line-marks.tsx";
import type { Mark } from "./time-line.ts";

interface PlayerControlsProps {
  player: Player;
  marks: readonly Mark[];
  states: StateSeriesDocument | null;
  state: TrackedStateDocument | null;
  onMark: (direction: 1 | -1) => void;
  /** Returns the text to copy. */
  text?: () => string;
  onSearch?: (event: Event) => void;
  /** The URL of the displayed moment. */
  link?: string;
}

/** Renders the controls of a player. */
export function PlayerControls({
  player,
  marks,
  states,
  state,
  onMark,
  text,
  onSearch,
  link,
}: PlayerControlsProps): JSX.Element {
  const atMs = player.atMs.value;
  const isPlaying = player.isPlaying.value;
  const { startMs, durationMs } = player;
  const said = `${formatClock(atMs)} of ${formatClock(durationMs)}${state === null ? "" : `, ${state.phase}, ${words(state.shows)}`}`;
  return (
    <div class="player" role="group" aria-label="Recording">
      <div class="scrub">
        <TimeLine marks={marks} states={states} startMs={startMs} endMs={durationMs} />
        <input
          class="scrubber"
          type="range"
          min={startMs}
          max={Math.max(startMs, durationMs)}
          step={1}
          value={atMs}
          aria-label="Moment of the recording"
          aria-valuetext={said}
          onInput={({ currentTarget }) => player.seek(Number(currentTarget.value))}
        />
      </div>
      <div class="player-row">
        <IconButton icon="first" name="Previous mark ([)" onClick={() => onMark(-1)} />
        <IconButton icon="back" name="One step back (,)" onClick={() => player.step(-1)} />
        <IconButton
          icon={isPlaying ? "pause" : "play"}
          name={isPlaying ? "Pause (Space)" : "Play (Space)"}
          className="main"
          onClick={() => player.toggle()}
        />
        <IconButton icon="forward" name="One step forward (.)" onClick={() => player.step(1)} />
        <IconButton icon="last" name="Next mark (])" onClick={() => onMark(1)} />
        {onSearch === undefined ? null : (
          <IconButton
            icon="search"
            name="Search in the recording (/)"
            className="open-search"
            onClick={onSearch}
          />
        )}
        {text === undefined ? null : <CopyButton text={text} />}
        <span class="player-clock number">
          {formatClock(atMs)} <span class="muted">/ {formatClock(durationMs)}</span>
        </span>
        {states === null || states.states.length === 0 ? null : <Legend />}
        <span class="player-end">
          {link === undefined ? null : (
            <a href={link} title="Copy this link to share the moment">
              link to this moment
            </a>
          )}
          <label class="toggle">
            <input
              type="checkbox"
              checked={player.skipsSilence.value}
              onChange={({ currentTarget }) => void (player.skipsSilence.value = currentTarget.checked)}
            />
            <span>skip silence</span>
          </label>
          <label>
            <span class="visually-hidden">Speed</span>
            <select
              value={String(player.speed.value)}
              onChange={({ currentTarget }) => void (player.speed.value = Number(currentTarget.value))}
            >
              {speeds.map((speed) => (
                <option key={speed} value={String(speed)}>
                  {speed} ×
                </option>
              ))}
            </select>
          </label>
        </span>
      </div>
    </div>
  );
}

/**
 * Renders the names of the band's colours. It is hidden from screen readers, because the state is also written out at every moment.
 */
function Legend(): JSX.Element {
  return (
    <ul class="legend player-legend" aria-hidden="true">
      {["working", "ready", "dialog", "unknown"].map((name) => (
        <li key={name}>
          <span class={`swatch band-${name}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}

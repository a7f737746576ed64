import type { JSX } from "preact";
import type { StateSeriesDocument } from "../../api/index.ts";
import { formatClock } from "../model/index.ts";
import { linearScale } from "../plots/index.ts";
import type { Mark } from "./time-line.ts";

interface TimeLineProps {
  marks: readonly Mark[];
  states: StateSeriesDocument | null;
  startMs: number;
  endMs: number;
}

const WIDTH = 1_000;
const HEIGHT = 28;
const BAND = { y: 13, height: 11 };

/** Renders, above the scrubber, the activity of the Triage Agent's TUI as a band and events as marks. */
export function TimeLine({ marks, states, startMs, endMs }: TimeLineProps): JSX.Element {
  const scale = linearScale([startMs, Math.max(startMs + 1, endMs)], [0, WIDTH]);
  const x = (tMs: number): number => Math.max(0, Math.min(WIDTH, scale(tMs)));
  const series = states?.states ?? [];
  return (
    <svg
      class="time-line"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${marks.length} marks; the band shows when the Triage Agent was working`}
    >
      <rect class="band empty" x={0} y={BAND.y} width={WIDTH} height={BAND.height} />
      {series.map((state, index) => {
        const from = x(state.tMs);
        const to = x(series[index + 1]?.tMs ?? endMs);
        return (
          <rect
            key={state.seq}
            class={`band phase-${state.phase} shows-${state.shows}`}
            x={from}
            y={BAND.y}
            width={Math.max(0, to - from)}
            height={BAND.height}
          >
            <title>{`${state.phase}, from ${formatClock(state.tMs)}`}</title>
          </rect>
        );
      })}
      {marks.map(({ kind, tMs, text }) => (
        <rect key={`${kind}${tMs}`} class={`mark mark-${kind}`} x={x(tMs) - 1.2} y={0} width={2.4} height={9}>
          <title>{`${formatClock(tMs)} ${text}`}</title>
        </rect>
      ))}
    </svg>
  );
}

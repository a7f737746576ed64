import type { JSX } from "preact";

export interface Tick {
  at: number;
  text: string;
}

/** Renders horizontal lines with numbers on the left. */
export function LeftAxis({
  ticks,
  from,
  to,
}: {
  ticks: readonly Tick[];
  from: number;
  to: number;
}): JSX.Element {
  return (
    <g class="axis" aria-hidden="true">
      {ticks.map(({ at, text }) => (
        <g key={text}>
          <line x1={from} x2={to} y1={at} y2={at} />
          <text x={from - 8} y={at} dy="0.32em" text-anchor="end">
            {text}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Renders labels below the plot, with vertical lines up to `lineTo` if it is set. */
export function BottomAxis(props: { ticks: readonly Tick[]; y: number; lineTo?: number }): JSX.Element {
  const { y, lineTo } = props;
  return (
    <g class="axis" aria-hidden="true">
      {props.ticks.map(({ at, text }) => (
        <g key={text}>
          {lineTo === undefined ? null : <line x1={at} x2={at} y1={y} y2={lineTo} />}
          <text x={at} y={y + 16} text-anchor="middle">
            {text}
          </text>
        </g>
      ))}
    </g>
  );
}

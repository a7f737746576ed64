import type { JSX } from "preact";
import type { TrustRowDocument } from "../../api/index.ts";
import { formatDuration, formatRate, formatUsd, words } from "../model/index.ts";
import { bands, BottomAxis, Figure, linearScale, type PlotSize } from "../plots/index.ts";

const MARGIN = { top: 4, right: 96, bottom: 24, left: 112 };
const ROW_PX = 30;

interface AcceptanceProps {
  title: string;
  /** The heading of the groups' column in the table. */
  head: string;
  rows: readonly TrustRowDocument[];
  /** The acceptance that autonomy requires, drawn as a line; null: no line. */
  bar: number | null;
  note?: string;
}

/** Renders the acceptance of each group with its interval. For a group without a judged outcome, only the name is shown. */
export function Acceptance({ title, head, rows, bar, note }: AcceptanceProps): JSX.Element {
  const judged = rows.reduce((sum, row) => sum + row.judged, 0);
  const accepted = rows.reduce((sum, row) => sum + row.accepted, 0);
  return (
    <Figure
      title={title}
      description={`${accepted} of ${judged} judged outcomes were accepted.`}
      scale={
        note ??
        `Accepted, of the judged outcomes${bar === null ? "" : `; the line: ${formatRate(bar)}, which autonomy requires`}`
      }
      emptyText="Nothing yet."
      heightPx={Math.max(120, rows.length * ROW_PX + MARGIN.top + MARGIN.bottom)}
      table={{
        head: [head, "Outcomes", "Accepted", "Acceptance", "95 %", "Reopened", "Reply (median)", "Cost"],
        rows: rows.map((row) => [
          nameOf(row.value),
          String(row.decided),
          `${row.accepted} of ${row.judged}`,
          row.acceptance === null ? "–" : formatRate(row.acceptance.rate),
          row.acceptance === null
            ? "–"
            : `${formatRate(row.acceptance.lower)} to ${formatRate(row.acceptance.upper)}`,
          String(row.reopened),
          row.medianReplyMs === null ? "–" : formatDuration(row.medianReplyMs),
          formatUsd(row.usd),
        ]),
      }}
      draw={(size) => <Bars rows={rows} bar={bar} {...size} />}
    />
  );
}

function Bars({
  rows,
  bar,
  width,
  height,
}: { rows: readonly TrustRowDocument[]; bar: number | null } & PlotSize): JSX.Element {
  const y = bands(rows.length, [MARGIN.top, height - MARGIN.bottom], 0.35);
  const x = linearScale([0, 1], [MARGIN.left, width - MARGIN.right]);
  const middle = (index: number): number => y.at(index) + y.width / 2;
  return (
    <>
      <BottomAxis
        y={height - MARGIN.bottom}
        lineTo={MARGIN.top}
        ticks={(width < 420 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1]).map((at) => ({
          at: x(at),
          text: formatRate(at),
        }))}
      />
      {rows.map(({ value, judged, accepted, acceptance }, index) => (
        <g key={value} class="series-age acceptance">
          <text class="name" x={MARGIN.left - 10} y={middle(index)} dy="0.32em" text-anchor="end">
            {shortened(nameOf(value))}
          </text>
          {acceptance === null ? null : (
            <>
              <title>
                {`${nameOf(value)}: ${accepted} of ${judged} accepted, ${formatRate(acceptance.lower)} to ${formatRate(acceptance.upper)} at 95 %`}
              </title>
              <rect
                x={MARGIN.left}
                width={Math.max(1, x(acceptance.rate) - MARGIN.left)}
                y={y.at(index)}
                height={y.width}
                rx={2}
              />
              <Interval from={x(acceptance.lower)} to={x(acceptance.upper)} y={middle(index)} />
            </>
          )}
          <text class="value" x={width - MARGIN.right + 12} y={middle(index)} dy="0.32em">
            {judged === 0 ? "none judged" : `${accepted} of ${judged}`}
          </text>
        </g>
      ))}
      {bar === null ? null : (
        <line class="bar-line" x1={x(bar)} x2={x(bar)} y1={MARGIN.top} y2={height - MARGIN.bottom} />
      )}
    </>
  );
}

function Interval({ from, to, y }: { from: number; to: number; y: number }): JSX.Element {
  return (
    <g class="interval">
      <line x1={from} x2={to} y1={y} y2={y} />
      <line x1={from} x2={from} y1={y - 4} y2={y + 4} />
      <line x1={to} x2={to} y1={y - 4} y2={y + 4} />
    </g>
  );
}

/** Returns the display name of a group; a date keeps its hyphens. */
function nameOf(value: string): string {
  return /^\d/.test(value) ? value : words(value);
}

const MAX_NAME = 16;

/** Returns a name that is short enough for the plot; the table shows the whole name. */
function shortened(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 1)}…`;
}

import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import { useWidth } from "../browser/index.ts";
import { DataTable } from "../chrome/index.ts";

export interface PlotSize {
  width: number;
  height: number;
}

interface FigureProps {
  title: string;
  /** One sentence that describes the plot to people who do not see it. */
  description: string;
  /** The quantities and units of the axes. */
  scale: string;
  heightPx: number;
  /** The drawing has elements that can be reached by keyboard, so screen readers see a group instead of one picture. */
  isInteractive?: boolean;
  legend?: readonly { name: string; className: string }[];
  table: { head: readonly string[]; rows: readonly (readonly string[])[] };
  /** Shown instead of an empty plot. */
  emptyText: string;
  draw: (size: PlotSize) => ComponentChildren;
}

/** Renders a plot as SVG in the available width, and as a table. */
export function Figure({
  title,
  description,
  scale,
  heightPx,
  isInteractive = false,
  legend,
  table,
  emptyText,
  draw,
}: FigureProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const isEmpty = table.rows.length === 0;
  return (
    <figure class="card plot">
      <figcaption>
        <h2>{title}</h2>
        {isEmpty ? null : <p class="plot-scale">{scale}</p>}
        {legend === undefined || isEmpty ? null : (
          <ul class="legend">
            {legend.map(({ name, className }) => (
              <li key={name}>
                <span class={`swatch ${className}`} aria-hidden="true" />
                {name}
              </li>
            ))}
          </ul>
        )}
      </figcaption>
      <div ref={place} class="plot-place">
        {isEmpty ? <p class="muted">{emptyText}</p> : null}
        {width === 0 || isEmpty ? null : (
          <svg
            width={width}
            height={heightPx}
            role={isInteractive ? "group" : "img"}
            aria-label={`${title}. ${description}`}
          >
            <title>{title}</title>
            <desc>{description}</desc>
            {draw({ width, height: heightPx })}
          </svg>
        )}
      </div>
      {isEmpty ? null : (
        <details class="plot-table">
          <summary>As a table</summary>
          <div class="scrolling">
            <DataTable head={table.head} rows={table.rows.map((cells) => ({ key: cells[0] ?? "", cells }))} />
          </div>
        </details>
      )}
    </figure>
  );
}

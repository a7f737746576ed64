import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { RunRowDocument } from "../../api/index.ts";
import { useKeys } from "../chrome/index.ts";
import type { BoardModel, RunFilters, SortKey } from "../model/index.ts";
import { RunRow } from "./run-row.tsx";
import { useWindowOfRows } from "./use-window-of-rows.ts";

interface RunTableProps {
  model: BoardModel;
  /** The loaded runs. */
  runs: readonly RunRowDocument[];
  /** The number of all runs that match. */
  total: number;
  filters: RunFilters;
  onChange: (part: Partial<RunFilters>) => void;
}

/** The next page is loaded when fewer rows than this are left below the visible ones. */
const MARGIN_OF_LOADED = 40;

const COLUMNS: readonly (readonly [SortKey, string])[] = [
  ["issue", "Issue"],
  ["status", "Status"],
  ["result", "Outcome"],
  ["elapsed", "Elapsed"],
  ["cost", "Cost"],
  ["started", "Started"],
];

/** Renders only the rows near the visible ones, and loads the following pages on scrolling (B2). */
export function RunTable({ model, runs, total, filters, onChange }: RunTableProps): JSX.Element {
  const { reachable } = model.runs;
  const body = useRef<HTMLDivElement>(null);
  const shown = useWindowOfRows(body, reachable);
  useEffect(() => {
    const missing = shown.to + MARGIN_OF_LOADED - runs.length;
    if (missing > 0) void model.runs.more(missing);
  }, [shown.to, runs.length]);
  const focusRow = (index: number): void => {
    const row = Math.max(0, Math.min(reachable - 1, index));
    shown.scrollTo(row);
    const link = (): HTMLElement | null | undefined =>
      body.current?.querySelector<HTMLElement>(`[data-row="${row}"] a`);
    // A row that is already rendered gets the focus at once, because a key press that follows immediately is meant for it.
    link()?.focus({ preventScroll: true });
    if (focusedRow() === row) return;
    // Two frames later, the row is rendered, because the scroll event precedes the next frame.
    requestAnimationFrame(() => requestAnimationFrame(() => link()?.focus({ preventScroll: true })));
  };
  useKeys({
    j: () => focusRow(focusedRow() + 1),
    k: () => focusRow(Math.max(0, focusedRow()) - 1),
  });
  return (
    <div class="runs" role="table" aria-label="Triage Runs" aria-rowcount={total + 1}>
      <div class="runs-head" role="row" aria-rowindex={1}>
        <span role="columnheader">
          <span class="visually-hidden">State</span>
        </span>
        {COLUMNS.map(([key, name]) => (
          <SortHeader key={key} sortKey={key} name={name} filters={filters} onChange={onChange} />
        ))}
      </div>
      <div
        ref={body}
        class="runs-body"
        role="rowgroup"
        style={{ height: `${reachable * shown.rowHeight}px` }}
      >
        {runs.slice(shown.from, shown.to).map((run, offset) => (
          <RunRow
            key={run.id}
            model={model}
            run={run}
            index={shown.from + offset}
            topPx={(shown.from + offset) * shown.rowHeight}
          />
        ))}
      </div>
    </div>
  );
}

/** Returns the index of the focused row; -1 when no row has the focus. */
function focusedRow(): number {
  const row = document.activeElement?.closest<HTMLElement>("[data-row]");
  return Number(row?.dataset["row"] ?? -1);
}

function SortHeader(props: {
  sortKey: SortKey;
  name: string;
  filters: RunFilters;
  onChange: (part: Partial<RunFilters>) => void;
}): JSX.Element {
  const { sortKey, filters } = props;
  const isCurrent = filters.sort === sortKey;
  const order = filters.isDescending ? "descending" : "ascending";
  const turn = (): void =>
    props.onChange({ sort: sortKey, isDescending: isCurrent ? !filters.isDescending : sortKey !== "issue" });
  return (
    <span role="columnheader" class={`col-${sortKey}`} aria-sort={isCurrent ? order : "none"}>
      <button type="button" onClick={turn}>
        {props.name}
        <span class="sort-mark" aria-hidden="true">
          {isCurrent ? (filters.isDescending ? "↓" : "↑") : ""}
        </span>
      </button>
    </span>
  );
}

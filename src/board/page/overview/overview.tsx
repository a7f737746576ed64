import type { JSX } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { DamagedRows, Empty, FailureNotice, focusHeading, useKeys } from "../chrome/index.ts";
import {
  type BoardModel,
  count,
  noFilters,
  replaceRoute,
  route,
  type RunFilters,
  wasNavigated,
} from "../model/index.ts";
import { BatchRail } from "./batch-rail.tsx";
import { BatchSummary } from "./batch-summary.tsx";
import { ExportButtons } from "./export-buttons.tsx";
import { FilterBar, focusSearch } from "./filter-bar.tsx";
import { RunTable } from "./run-table.tsx";

/** The scroll position to restore after returning from a run. */
let scrolledPx = 0;
/** The run that was opened from this list; its row gets the focus back (B8). */
let openedId: string | null = null;

function focusOpened(): void {
  if (document.activeElement !== document.body) return;
  document
    .querySelector<HTMLElement>(`[data-run="${CSS.escape(openedId ?? "")}"] a`)
    ?.focus({ preventScroll: true });
  focusHeading();
}

export function Overview({ model, filters }: { model: BoardModel; filters: RunFilters }): JSX.Element {
  useLayoutEffect(() => {
    window.scrollTo(0, scrolledPx);
    return () => {
      scrolledPx = window.scrollY;
      openedId = route.value.view === "run" ? route.value.id : null;
    };
  }, []);
  // The focus is set after the scroll event, which decides which rows are rendered.
  useEffect(() => {
    if (wasNavigated()) requestAnimationFrame(() => requestAnimationFrame(focusOpened));
  }, []);
  const { runs } = model;
  useEffect(() => {
    runs.show(filters);
    if (filters.batch !== null) void model.needBatch(filters.batch).catch(() => undefined);
  }, [filters]);
  const change = (part: Partial<RunFilters>): void =>
    replaceRoute({ view: "overview", filters: { ...filters, ...part } });
  useKeys({
    "/": (event) => {
      event.preventDefault();
      focusSearch();
    },
    l: () => change({ onlyLive: !filters.onlyLive }),
    Escape: () => change(noFilters),
  });
  const batches = model.batchList.value;
  const [shown, totals, failure] = [runs.rows.value, runs.totals.value, runs.failure.value];
  if (batches.length === 0 && runs.total === 0 && totals?.batches === 0) return <FirstSteps />;
  const only = batches.length === 1 && !filters.onlyRecent ? batches[0]?.runId : undefined;
  const batch = batches.find(({ runId }) => runId === (filters.batch ?? only)) ?? null;
  return (
    <div class="overview">
      <BatchRail
        model={model}
        batches={batches}
        selected={filters.onlyRecent ? "recent" : filters.batch}
        onSelect={(choice) =>
          change(
            choice === "recent" ? { batch: null, onlyRecent: true } : { batch: choice, onlyRecent: false },
          )
        }
      />
      <section class="overview-main" aria-label="Triage Runs">
        <BatchSummary model={model} batch={batch} totals={totals} filters={filters} onChange={change} />
        <FilterBar filters={filters} totals={totals} onChange={change} />
        <div class="count-row">
          <p class="count" role="status">
            {runs.total === (totals?.runs ?? 0)
              ? count(runs.total, "Triage Run")
              : `${runs.total.toLocaleString("en")} of ${count(totals?.runs ?? 0, "Triage Run")}`}
          </p>
          <ExportButtons data={model.data} filters={filters} />
        </div>
        {failure === null ? null : <FailureNotice failure={failure} />}
        <DamagedRows rows={[...model.damagedBatches.value, ...runs.damaged]} />
        {shown.length === 0 ? (
          <Empty title="No Triage Run matches these filters.">
            <button type="button" class="button" onClick={() => change(noFilters)}>
              Clear the filters
            </button>
          </Empty>
        ) : (
          <RunTable model={model} runs={shown} total={runs.total} filters={filters} onChange={change} />
        )}
      </section>
    </div>
  );
}

function FirstSteps(): JSX.Element {
  return (
    <Empty title="No Triage Run yet" isPage>
      <p>Start a Triage Batch, and watch it here:</p>
      <pre class="command">afk-triage run --repo owner/name</pre>
      <p>
        To try it without an account: <code>afk-triage demo</code>
      </p>
    </Empty>
  );
}

import type { JSX } from "preact";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { Empty, useKeys } from "../chrome/index.ts";
import {
  type BoardModel,
  count,
  filterChoices,
  isChosen,
  noFilters,
  replaceRoute,
  type RunFilters,
  shownRuns,
} from "../model/index.ts";
import { BatchRail } from "./batch-rail.tsx";
import { BatchSummary } from "./batch-summary.tsx";
import { FilterBar, focusSearch } from "./filter-bar.tsx";
import { RunTable } from "./run-table.tsx";

/** The scroll position to restore after returning from a run. */
let scrolledPx = 0;

/** Renders the list of runs. */
export function Overview({ model, filters }: { model: BoardModel; filters: RunFilters }): JSX.Element {
  useLayoutEffect(() => {
    window.scrollTo(0, scrolledPx);
    return () => void (scrolledPx = window.scrollY);
  }, []);
  const runs = useMemo(() => [...model.runs.value.values()], [model.runs.value]);
  const choices = useMemo(() => filterChoices(runs), [runs]);
  // Sorted at the time of the last change, because an order that changes every second would be unreadable.
  const nowMs = useMemo(() => model.clock.nowMs(), [runs, filters]);
  const shown = useMemo(() => shownRuns(runs, filters, nowMs), [runs, filters]);
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
  if (runs.length === 0 && batches.length === 0) return <FirstSteps />;
  const only = batches.length === 1 && !filters.onlyRecent ? batches[0]?.runId : undefined;
  const batch = batches.find(({ runId }) => runId === (filters.batch ?? only)) ?? null;
  return (
    <div class="overview">
      <BatchRail
        model={model}
        batches={batches}
        recent={runs.filter((run) => isChosen(run, { batch: null, onlyRecent: true }, nowMs)).length}
        selected={filters.onlyRecent ? "recent" : filters.batch}
        onSelect={(choice) =>
          change(
            choice === "recent" ? { batch: null, onlyRecent: true } : { batch: choice, onlyRecent: false },
          )
        }
      />
      <section class="overview-main" aria-label="Triage Runs">
        <BatchSummary
          model={model}
          batch={batch}
          runs={runs.filter((run) => isChosen(run, filters, nowMs))}
          filters={filters}
          onChange={change}
        />
        <FilterBar filters={filters} choices={choices} onChange={change} />
        <p class="count" role="status">
          {shown.length === runs.length
            ? count(runs.length, "Triage Run")
            : `${shown.length.toLocaleString("en")} of ${count(runs.length, "Triage Run")}`}
        </p>
        {shown.length === 0 ? (
          <Empty title="No Triage Run matches these filters.">
            <button type="button" class="button" onClick={() => change(noFilters)}>
              Clear the filters
            </button>
          </Empty>
        ) : (
          <RunTable model={model} runs={shown} filters={filters} onChange={change} />
        )}
      </section>
    </div>
  );
}

function FirstSteps(): JSX.Element {
  return (
    <Empty title="No Triage Run yet">
      <p>Start a Triage Batch, and watch it here:</p>
      <pre class="command">afk-triage run --repo owner/name</pre>
      <p>
        To try it without an account: <code>afk-triage demo</code>
      </p>
    </Empty>
  );
}

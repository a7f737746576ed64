import type { JSX } from "preact";
import type { BatchDocument, TotalsDocument } from "../../api/index.ts";
import {
  type BoardModel,
  formatDuration,
  formatInstant,
  formatUsd,
  routeHash,
  type RunFilters,
} from "../model/index.ts";
import { isUnderWay } from "./batch-facts.ts";
import { Tile } from "./tile.tsx";

interface SummaryProps {
  model: BoardModel;
  /** null: more than one batch. */
  batch: BatchDocument | null;
  /** The totals of that batch or of the selection; null until they are known. */
  totals: TotalsDocument | null;
  filters: RunFilters;
  onChange: (part: Partial<RunFilters>) => void;
}

/**
 * Renders the summary that a maintainer reads first: how much was done, what waits for a person, what failed, what it
 * cost. A number that corresponds to a filter is a button that sets it.
 */
export function BatchSummary({ model, batch, totals, filters, onChange }: SummaryProps): JSX.Element {
  const { live = 0, waiting = 0, parentLost = 0, results = {}, usd = null, usdRuns = 0 } = totals ?? {};
  const has = (...names: string[]): number => names.reduce((sum, name) => sum + (results[name] ?? 0), 0);
  const shown = (...names: string[]): string => has(...names).toLocaleString("en");
  const choose = (result: string): { isChosen: boolean; onChoose: () => void } => ({
    isChosen: filters.result === result,
    onChoose: () => onChange({ result: filters.result === result ? null : result }),
  });
  return (
    <section class="summary" aria-label="Summary">
      <div class="summary-head">
        <h1 tabIndex={-1}>{titleOf(batch, filters)}</h1>
        {batch === null ? null : <BatchLine model={model} batch={batch} />}
      </div>
      <div class="tiles">
        <Tile
          name="in progress"
          value={live.toLocaleString("en")}
          tone={waiting + parentLost > 0 ? "warn" : ""}
          isChosen={filters.onlyLive}
          onChoose={() => onChange({ onlyLive: !filters.onlyLive })}
        >
          {[
            waiting > 0
              ? `${waiting.toLocaleString("en")} wait${waiting === 1 ? "s" : ""} for you`
              : "none waits for you",
            ...(parentLost > 0 ? [`${parentLost.toLocaleString("en")} left by a dead parent`] : []),
          ].join(", ")}
        </Tile>
        <Tile
          name="ready to implement"
          value={shown("ready-for-agent")}
          tone="good"
          {...choose("ready-for-agent")}
        >
          {`${shown("needs-info")} wait for the reporter`}
        </Tile>
        <Tile
          name="for a person"
          value={shown("ready-for-human")}
          tone="accent"
          {...choose("ready-for-human")}
        >
          {`${shown("wontfix")} won't fix, ${shown("needs-triage")} still open`}
        </Tile>
        <Tile
          name="failed"
          value={shown("failed")}
          tone={has("failed") > 0 ? "bad" : ""}
          {...choose("failed")}
        >
          {`${shown("requeued", "locked", "skipped")} left for later`}
        </Tile>
        <Tile name="cost" value={formatUsd(usd)} tone="">
          {usd === null ? "no run reported it" : `${formatUsd(usd / usdRuns)} a run`}
        </Tile>
      </div>
      {(batch?.kept ?? [])
        .filter(({ untilMs }) => untilMs > model.nowMs.value)
        .map(({ name, issue, untilMs }) => (
          <div key={name} class="notice tone-warn">
            <p>
              <strong>Coder workspace {name}</strong> of {issue}, whose Triage Run failed, is kept for
              inspection until {formatInstant(untilMs)}.
            </p>
          </div>
        ))}
      {(batch?.stranded ?? []).map(({ name, message }) => (
        <div key={name} class="notice tone-bad" role="alert">
          <p>
            <strong>Stranded Coder workspace {name}</strong>: {message}
          </p>
          <p>
            <code>afk-triage reap</code> destroys it.
          </p>
        </div>
      ))}
    </section>
  );
}

function titleOf(batch: BatchDocument | null, { onlyRecent }: RunFilters): string {
  if (batch !== null) return `Triage Batch ${batch.runId}`;
  return onlyRecent ? "The last 24 hours" : "All Triage Batches";
}

function BatchLine({ model, batch }: { model: BoardModel; batch: BatchDocument }): JSX.Element {
  const lasted = (batch.finishedAtMs ?? model.nowMs.value) - batch.startedAtMs;
  const state =
    batch.finishedAtMs === null
      ? isUnderWay(batch)
        ? `in progress for ${formatDuration(lasted)}`
        : "its parent is dead: `afk-triage reap` settles its runs, or the next batch does"
      : `took ${formatDuration(lasted)}`;
  return (
    <p class="muted">
      {batch.repos.join(", ")} · {batch.provider ?? "unknown provider"} · began{" "}
      {formatInstant(batch.startedAtMs)} · {state} ·{" "}
      <a href={routeHash({ view: "batch", runId: batch.runId, other: null })}>slots over time, compare</a>
    </p>
  );
}

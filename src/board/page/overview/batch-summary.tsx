import type { JSX } from "preact";
import type { BatchDocument, RunRowDocument } from "../../api/index.ts";
import {
  type BoardModel,
  formatDuration,
  formatInstant,
  formatUsd,
  isLive,
  resultOf,
  type RunFilters,
} from "../model/index.ts";
import { isUnderWay } from "./batch-facts.ts";
import { Tile } from "./tile.tsx";

interface SummaryProps {
  model: BoardModel;
  /** null: more than one batch. */
  batch: BatchDocument | null;
  /** The runs of that batch, or of all batches. */
  runs: readonly RunRowDocument[];
  filters: RunFilters;
  onChange: (part: Partial<RunFilters>) => void;
}

/**
 * Renders the summary that a maintainer reads first: how much was done, what waits for a person, what failed, what it
 * cost. A number that corresponds to a filter is a button for it.
 */
export function BatchSummary({ model, batch, runs, filters, onChange }: SummaryProps): JSX.Element {
  const costs = runs.flatMap(({ usage }) => usage?.usd ?? []);
  const usd = costs.reduce((sum, cost) => sum + cost, 0);
  const has = (...results: string[]): number =>
    runs.filter((run) => results.includes(resultOf(run) ?? "")).length;
  const waiting = runs.filter((run) => run.displayStatus === "needs_input").length;
  const choose = (result: string): { isChosen: boolean; onChoose: () => void } => ({
    isChosen: filters.result === result,
    onChoose: () => onChange({ result: filters.result === result ? null : result }),
  });
  return (
    <section class="summary" aria-label="Summary">
      <div class="summary-head">
        <h1>{titleOf(batch, filters)}</h1>
        {batch === null ? null : <BatchLine model={model} batch={batch} />}
      </div>
      <div class="tiles">
        <Tile
          name="under way"
          value={String(runs.filter(isLive).length)}
          tone={waiting > 0 ? "warn" : ""}
          isChosen={filters.onlyLive}
          onChoose={() => onChange({ onlyLive: !filters.onlyLive })}
        >
          {waiting > 0 ? `${waiting} need${waiting === 1 ? "s" : ""} input` : "none waits for input"}
        </Tile>
        <Tile
          name="ready to implement"
          value={String(has("ready-for-agent"))}
          tone="good"
          {...choose("ready-for-agent")}
        >
          {`${has("needs-info")} wait for the reporter`}
        </Tile>
        <Tile
          name="for a person"
          value={String(has("ready-for-human"))}
          tone="accent"
          {...choose("ready-for-human")}
        >
          {`${has("wontfix")} won't fix, ${has("needs-triage")} still open`}
        </Tile>
        <Tile
          name="failed"
          value={String(has("failed"))}
          tone={has("failed") > 0 ? "bad" : ""}
          {...choose("failed")}
        >
          {`${has("requeued", "locked", "skipped")} left for later`}
        </Tile>
        <Tile name="cost" value={costs.length === 0 ? "–" : formatUsd(usd)} tone="">
          {costs.length === 0 ? "no run told it" : `${formatUsd(usd / costs.length)} a run`}
        </Tile>
      </div>
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
        ? `under way for ${formatDuration(lasted)}`
        : "its parent was killed: the next batch cleans up"
      : `took ${formatDuration(lasted)}`;
  return (
    <p class="muted">
      {batch.repos.join(", ")} · {batch.provider ?? "unknown provider"} · began{" "}
      {formatInstant(batch.startedAtMs)} · {state}
    </p>
  );
}

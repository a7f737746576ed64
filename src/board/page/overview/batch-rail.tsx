import type { JSX } from "preact";
import type { BatchDocument } from "../../api/index.ts";
import { type BoardModel, count, formatDuration, formatMoment, formatUsd } from "../model/index.ts";
import { ends, finishedRuns, isUnderWay } from "./batch-facts.ts";

interface RailProps {
  model: BoardModel;
  batches: readonly BatchDocument[];
  /** A run id, or `recent`; null: everything. */
  selected: string | null;
  onSelect: (choice: string | null) => void;
}

/** Renders all Triage Batches, newest first. */
export function BatchRail({ model, batches, selected, onSelect }: RailProps): JSX.Element {
  return (
    <nav class="rail" aria-label="Triage Batches">
      <h2>Triage Batches</h2>
      <ul>
        <li>
          <Span
            name="All"
            number={batchCount(Math.max(batches.length, model.runs.totals.value?.batches ?? 0))}
            isSelected={selected === null}
            onSelect={() => onSelect(null)}
          />
        </li>
        {model.data.source === "report" ? null : (
          <li>
            <Span
              name="Last 24 hours"
              number=""
              isSelected={selected === "recent"}
              onSelect={() => onSelect("recent")}
            />
          </li>
        )}
        {batches.map((batch) => (
          <li key={batch.runId}>
            <BatchCard
              model={model}
              batch={batch}
              isSelected={batch.runId === selected}
              onSelect={onSelect}
            />
          </li>
        ))}
        {model.olderBatches.value === null ? null : (
          <li>
            <button
              type="button"
              class="button small"
              onClick={() => void model.moreBatches().catch(() => undefined)}
            >
              Older batches
            </button>
          </li>
        )}
      </ul>
    </nav>
  );
}

function batchCount(batches: number): string {
  return batches === 1 ? "1 batch" : `${batches.toLocaleString("en")} batches`;
}

function Span(props: {
  name: string;
  number: string;
  isSelected: boolean;
  onSelect: () => void;
}): JSX.Element {
  return (
    <button type="button" class="batch all" aria-pressed={props.isSelected} onClick={props.onSelect}>
      <span class="batch-top">
        <strong>{props.name}</strong>
        <span class="muted">{props.number}</span>
      </span>
    </button>
  );
}

interface CardProps {
  model: BoardModel;
  batch: BatchDocument;
  isSelected: boolean;
  onSelect: (runId: string) => void;
}

function BatchCard({ model, batch, isSelected, onSelect }: CardProps): JSX.Element {
  const all = finishedRuns(batch) + batch.totals.live;
  return (
    <button
      type="button"
      class="batch"
      aria-pressed={isSelected}
      title={`Triage Batch ${batch.runId}`}
      onClick={() => onSelect(batch.runId)}
    >
      <span class="batch-top">
        <strong>
          <Began model={model} batch={batch} />
        </strong>
        <BatchState batch={batch} />
      </span>
      <TotalsBar batch={batch} />
      <span class="batch-bottom">
        <span>
          {isUnderWay(batch) ? `${finishedRuns(batch)} of ${all} done` : count(all, "issue")}
          {", "}
          <Lasted model={model} batch={batch} />
        </span>
        <span>{formatUsd(batch.usd)}</span>
      </span>
      <span class="batch-repos">{batch.repos.join(", ")}</span>
    </button>
  );
}

function Began({ model, batch }: { model: BoardModel; batch: BatchDocument }): JSX.Element {
  return <>{formatMoment(batch.startedAtMs, model.nowMs.value)}</>;
}

function Lasted({ model, batch }: { model: BoardModel; batch: BatchDocument }): JSX.Element {
  const endMs = batch.finishedAtMs ?? (isUnderWay(batch) ? model.nowMs.value : null);
  return <>{endMs === null ? "cut off" : formatDuration(Math.max(0, endMs - batch.startedAtMs))}</>;
}

function BatchState({ batch }: { batch: BatchDocument }): JSX.Element | null {
  if (batch.finishedAtMs !== null) return null;
  if (!isUnderWay(batch)) return <span class="tone-text-bad">parent killed</span>;
  return (
    <span class="live-mark">
      <span class="live-dot" aria-hidden="true" />
      live
    </span>
  );
}

/** Renders the results of a batch's runs as parts of one bar. */
export function TotalsBar({ batch }: { batch: BatchDocument }): JSX.Element {
  const parts = ends.map((end) => ({ end, number: batch.totals[end] })).filter(({ number }) => number > 0);
  const text = parts.map(({ end, number }) => `${number} ${end}`).join(", ") || "nothing yet";
  return (
    <span class="totals" role="img" aria-label={text} title={text}>
      {parts.map(({ end, number }) => (
        <span key={end} class={`totals-part end-${end}`} style={{ flexGrow: number }} />
      ))}
    </span>
  );
}

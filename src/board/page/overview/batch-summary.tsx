import type { JSX } from "preact";
import type { BatchDocument, RunRowDocument } from "../../api/index.ts";
import {
  type BoardModel,
  formatDuration,
  formatInstant,
  formatUsd,
  isLive,
  resultOf,
} from "../model/index.ts";
import { isUnderWay } from "./batch-facts.ts";

interface SummaryProps {
  model: BoardModel;
  /** null: all of them. */
  batch: BatchDocument | null;
  runs: readonly RunRowDocument[];
}

/** What a maintainer wants to know first: how much was done, what waits for a person, what went wrong, what it cost. */
export function BatchSummary({ model, batch, runs }: SummaryProps): JSX.Element {
  const of = batch === null ? runs : runs.filter(({ runId }) => runId === batch.runId);
  const usd = of.reduce((sum, { usage }) => sum + (usage?.usd ?? 0), 0);
  const has = (...results: string[]): number =>
    of.filter((run) => results.includes(resultOf(run) ?? "")).length;
  const waiting = of.filter((run) => run.displayStatus === "needs_input").length;
  return (
    <section class="summary" aria-label="Summary">
      <div class="summary-head">
        <h1>{batch === null ? "All Triage Batches" : `Triage Batch ${batch.runId}`}</h1>
        {batch === null ? null : <BatchLine model={model} batch={batch} />}
      </div>
      <dl class="tiles">
        <Tile name="under way" value={String(of.filter(isLive).length)} tone={waiting > 0 ? "warn" : ""}>
          {waiting > 0 ? `${waiting} need${waiting === 1 ? "s" : ""} input` : "none waits for input"}
        </Tile>
        <Tile name="ready to implement" value={String(has("ready-for-agent"))} tone="good">
          {`${has("needs-info")} wait for the reporter`}
        </Tile>
        <Tile name="for a person" value={String(has("ready-for-human"))} tone="accent">
          {`${has("wontfix")} won't fix`}
        </Tile>
        <Tile name="failed" value={String(has("failed"))} tone={has("failed") > 0 ? "bad" : ""}>
          {`${has("requeued", "locked", "skipped")} left for later`}
        </Tile>
        <Tile name="cost" value={formatUsd(usd)} tone="">
          {`${formatUsd(usd / Math.max(1, of.filter(({ usage }) => usage?.usd != null).length))} a run`}
        </Tile>
      </dl>
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

function Tile(props: { name: string; value: string; tone: string; children: string }): JSX.Element {
  return (
    <div class={`tile${props.tone === "" ? "" : ` tone-${props.tone}`}`}>
      <dt>{props.name}</dt>
      <dd>
        <span class="tile-value">{props.value}</span>
        <span class="tile-note">{props.children}</span>
      </dd>
    </div>
  );
}

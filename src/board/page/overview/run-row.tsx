import type { JSX } from "preact";
import type { RunRowDocument } from "../../api/index.ts";
import { Chip, IndicatorDot } from "../chrome/index.ts";
import {
  type BoardModel,
  elapsedMs,
  explanationOf,
  formatDuration,
  formatInstant,
  formatMoment,
  formatUsd,
  isLive,
  label,
  resultOf,
  routeHash,
  shownStatus,
  words,
} from "../model/index.ts";

interface RunRowProps {
  model: BoardModel;
  run: RunRowDocument;
  index: number;
  topPx: number;
}

/** Renders one row of the list. */
export function RunRow({ model, run, index, topPx }: RunRowProps): JSX.Element {
  const result = resultOf(run);
  const explanation = explanationOf(run);
  return (
    <div
      class={`run-row${isLive(run) ? " live" : ""}`}
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      data-run={run.id}
      style={{ transform: `translateY(${topPx}px)` }}
    >
      <span role="cell" class="col-indicator">
        <IndicatorDot indicator={run.indicator} />
      </span>
      <span role="cell" class="col-issue">
        <a class="run-title" href={routeHash({ view: "run", id: run.id, tab: "terminal" })} dir="auto">
          {run.title ?? `Issue ${run.number}`}
        </a>
        <span class="run-sub">
          {run.repo} <span class="number">#{run.number}</span>
          {run.category === null ? "" : ` · ${run.category}`}
          {run.pullRequest === null
            ? ""
            : ` · PR #${run.pullRequest.number} ${label(run.pullRequest.status)}`}
        </span>
      </span>
      <span role="cell" class="col-status">
        <Chip code={shownStatus(run)} />
        <span class="run-sub" title={phaseText(run)}>
          {phaseText(run)}
        </span>
      </span>
      <span role="cell" class="col-result">
        {result === null ? <span class="muted">–</span> : <Chip code={result} />}
        <span class="run-sub" title={run.evidence?.text ?? explanation}>
          {explanation}
          {run.evidence === null ? "" : ` · ${run.evidence.verdict} ${run.evidence.runs}`}
        </span>
      </span>
      <span role="cell" class="col-elapsed number">
        <Elapsed model={model} run={run} />
      </span>
      <span role="cell" class="col-cost number">
        {formatUsd(run.usage?.usd ?? null)}
      </span>
      <span role="cell" class="col-started muted number" title={formatInstant(run.startedAtMs)}>
        <Started model={model} run={run} />
      </span>
    </div>
  );
}

/** Renders the elapsed time. Elapsed and Started are separate components, so that only they render every second. */
function Elapsed({ model, run }: { model: BoardModel; run: RunRowDocument }): JSX.Element {
  const nowMs = isLive(run) ? model.nowMs.value : 0;
  return <>{formatDuration(elapsedMs(run, nowMs))}</>;
}

function Started({ model, run }: { model: BoardModel; run: RunRowDocument }): JSX.Element {
  return <>{formatMoment(run.startedAtMs, model.nowMs.value)}</>;
}

function phaseText(run: RunRowDocument): string {
  if (run.parentLost !== null) return "its parent died: run `afk-triage reap`";
  return run.end === null
    ? `${run.phase}${run.surface === null ? "" : `, ${words(run.surface)}`}`
    : label(run.end.status);
}

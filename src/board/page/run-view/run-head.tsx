import type { JSX } from "preact";
import type { RunDocument, RunRowDocument } from "../../api/index.ts";
import { Chip, ExternalLink, FailureNotice, Heading, Icon, IndicatorDot } from "../chrome/index.ts";
import {
  type BoardModel,
  elapsedMs,
  explanationOf,
  formatDuration,
  formatInstant,
  formatUsd,
  resultOf,
  routeHash,
  shownStatus,
  words,
} from "../model/index.ts";
import { PhaseSteps } from "./phase-steps.tsx";

interface RunHeadProps {
  model: BoardModel;
  run: RunRowDocument;
  document: RunDocument;
  onLeave: () => void;
}

/** Renders the head of the run view. */
export function RunHead({ model, run, document, onLeave }: RunHeadProps): JSX.Element {
  const result = resultOf(run);
  return (
    <header class="run-head">
      <div class="run-head-top">
        <button type="button" class="button small" onClick={onLeave}>
          <Icon name="back" /> Board
        </button>
        <ExternalLink url={run.issueUrl}>
          {run.repo} <span class="number">#{run.number}</span>
        </ExternalLink>
        <a href={routeHash({ view: "batch", runId: run.runId, other: null })}>Triage Batch {run.runId}</a>
        <span class="muted wide-only">began {formatInstant(run.startedAtMs)}</span>
        <span class="muted wide-only">
          Coder workspace {document.coderWorkspace.name ?? ""} {document.coderWorkspace.state}
        </span>
      </div>
      <div class="run-head-title">
        <IndicatorDot indicator={run.indicator} />
        <Heading>{run.title ?? `Issue ${run.number}`}</Heading>
      </div>
      <div class="run-facts">
        <Chip code={shownStatus(run)} title="display status" />
        {result === null ? null : <Chip code={result} title="outcome" />}
        {run.category === null ? null : <Fact name="category">{run.category}</Fact>}
        {run.end === null || run.end.error !== null ? null : <Fact name="why">{explanationOf(run)}</Fact>}
        {run.end?.status !== "applied" ? null : <Fact name="chosen as">{words(run.end.reason)}</Fact>}
        {run.evidence === null ? null : <Fact name="evidence">{run.evidence.text}</Fact>}
        <Fact name="elapsed">{formatDuration(elapsedMs(run, run.end === null ? model.nowMs.value : 0))}</Fact>
        <Fact name="cost">{formatUsd(run.usage?.usd ?? null)}</Fact>
        {run.usage === null ? null : (
          <Fact name="tokens">
            {`${run.usage.inputTokens.toLocaleString("en")} in, ${run.usage.outputTokens.toLocaleString("en")} out`}
          </Fact>
        )}
      </div>
      <PhaseSteps model={model} run={run} history={document.history} />
      {run.parentLost === null ? null : (
        <div class="notice tone-bad" role="alert">
          <p>
            <strong>The parent of this Triage Run is dead</strong>, last seen{" "}
            {formatInstant(run.parentLost.lastSeenAtMs)}.
          </p>
          <p>{run.parentLost.remedy}</p>
        </div>
      )}
      {run.end?.error == null ? null : <FailureNotice failure={run.end.error} />}
    </header>
  );
}

function Fact({ name, children }: { name: string; children: string }): JSX.Element {
  return (
    <span class="fact">
      <span class="muted">{name}</span> {children}
    </span>
  );
}

import type { JSX } from "preact";
import type { RunDocument } from "../../api/index.ts";
import { Chip, Empty } from "../chrome/index.ts";
import { type BoardModel, formatInstant } from "../model/index.ts";
import { FollowUpPanel } from "./follow-up-panel.tsx";
import { RecordedTerminal } from "./recorded-terminal.tsx";
import { VersionLine } from "./version-line.tsx";
import { ReproductionRuns } from "./reproduction-runs.tsx";

type Verification = NonNullable<RunDocument["verification"]>;

/** Renders the parent's own observation of the reproduction (T8). */
export function ReproductionView({
  model,
  document,
  onFollowUpEnd,
}: {
  model: BoardModel;
  document: RunDocument;
  onFollowUpEnd: () => void;
}): JSX.Element {
  const { verification, checks, terminals, artifacts, run } = document;
  if (verification === null) {
    return (
      <Empty title="No verification">
        <p>
          {run.end === null
            ? "The reproduction is verified once the Triage Agent has proposed one."
            : run.evidence === null
              ? "There was nothing to run."
              : `Its record is no longer in this home. Its grade: ${run.evidence.text}`}
        </p>
      </Empty>
    );
  }
  const screenshot = artifacts.some(({ kind }) => kind === "verification-screenshot")
    ? model.data.artifactUrl(run.id, "verification-screenshot")
    : null;
  return (
    <div class="columns">
      <div class="stack">
        <section class="card">
          <h2>Verdict</h2>
          <p class="chips">
            <Chip code={verification.verdict} />
            <span>{tally(verification)}</span>
            {verification.reason === null ? null : <span class="muted">{verification.reason}</span>}
          </p>
          {run.evidence === null ? null : (
            <dl class="facts">
              <Row name="grade" value={run.evidence.text} />
              <Row name="runs that showed it" value={run.evidence.runs} />
              <Row name="controls that showed it too" value={run.evidence.controls} />
            </dl>
          )}
          <VersionLine versions={verification.versions} />
          <Expectation verification={verification} />
          <Learned verification={verification} />
        </section>
        {model.allowsControl.value && run.end !== null ? (
          <FollowUpPanel model={model} run={run} onEnd={onFollowUpEnd} />
        ) : null}
        <ReproductionRuns runs={verification.runs} />
        {checks.length === 0 ? null : <Checks checks={checks} />}
      </div>
      <div class="stack">
        {verification.script === null ? null : (
          <section class="card">
            <h2>Script</h2>
            <pre class="code" tabIndex={0}>
              {verification.script}
            </pre>
          </section>
        )}
        {terminals.some(({ name }) => name === "verification") ? (
          <section class="card">
            <h2>Recording</h2>
            <RecordedTerminal
              data={model.data}
              id={run.id}
              terminal="verification"
              name="The verification's terminal, recorded"
            />
          </section>
        ) : null}
        {screenshot === null ? null : (
          <section class="card">
            <h2>Screenshot</h2>
            <img
              class="screenshot"
              src={screenshot}
              alt="The verification's terminal at its end"
              loading="lazy"
            />
          </section>
        )}
      </div>
    </div>
  );
}

function tally({ runs }: Verification): string {
  const matched = runs.filter((run) => run.matched).length;
  return runs.length === 0 ? "" : `${matched} of ${runs.length} runs showed it`;
}

function Expectation({ verification: { expect, commit } }: { verification: Verification }): JSX.Element {
  return (
    <dl class="facts">
      {expect?.exitCode == null ? null : <Row name="expected exit code" value={String(expect.exitCode)} />}
      {expect?.outputContains == null ? null : (
        <Row name="expected output" value={expect.outputContains} isCode />
      )}
      {commit === null ? null : <Row name="commit" value={commit.slice(0, 12)} isCode />}
    </dl>
  );
}

function Learned({ verification }: { verification: Verification }): JSX.Element | null {
  const { range, sameFailureAs } = verification;
  if (range.length === 0 && sameFailureAs.length === 0) return null;
  return (
    <dl class="facts">
      {range.map((sentence) => (
        <Row key={sentence} name="range" value={sentence} />
      ))}
      {sameFailureAs.length === 0 ? null : (
        <Row name="fails like" value={sameFailureAs.map((number) => `#${number}`).join(", ")} />
      )}
    </dl>
  );
}

function Row(props: { name: string; value: string; isCode?: boolean }): JSX.Element {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd dir="auto">{props.isCode === true ? <code>{props.value}</code> : props.value}</dd>
    </div>
  );
}

function Checks({ checks }: { checks: RunDocument["checks"] }): JSX.Element {
  return (
    <section class="card">
      <h2>Later checks</h2>
      <ul class="rows">
        {checks.map(({ at, verdict, matchedRuns, runs }) => (
          <li key={at}>
            <span class="number">{formatInstant(at)}</span>
            <Chip code={verdict} />
            <span class="muted">
              {matchedRuns} of {runs}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

import type { JSX } from "preact";
import type { RunDocument } from "../../api/index.ts";
import { Chip, Empty } from "../chrome/index.ts";
import { words } from "../model/index.ts";
import { TextList } from "./text-list.tsx";

/** Renders the proposed outcome and the decision. */
export function OutcomeView({ document }: { document: RunDocument }): JSX.Element {
  const { outcome, policy, run } = document;
  return (
    <div class="columns">
      <section class="card prose">
        <h2>What the Triage Agent proposed</h2>
        {outcome === null ? (
          <Empty title={run.end === null ? "No outcome yet" : "No outcome that could be read"} />
        ) : (
          <>
            <p class="chips">
              <Chip code={outcome.outcome} />
              <span class="muted">
                {outcome.category}, {outcome.confidence} confidence
              </span>
            </p>
            <p dir="auto">{outcome.summary}</p>
            <TextList title="Established" level="h3" items={outcome.established} />
            <TextList title="Questions for the reporter" level="h3" items={outcome.questions} />
            {outcome.brief === null ? null : <Brief brief={outcome.brief} />}
          </>
        )}
      </section>
      <section class="card">
        <h2>What the parent decided</h2>
        {run.end === null ? (
          <p class="muted">Not decided yet.</p>
        ) : (
          <p class="chips">
            <Chip code={run.end.status} />
            {run.end.outcome === null ? null : <Chip code={run.end.outcome} />}
            <span class="muted">
              {run.end.status === "applied" ? `chosen as ${words(run.end.reason)}` : words(run.end.reason)}
            </span>
          </p>
        )}
        <h3>Policy</h3>
        {policy.length === 0 ? (
          <p class="muted">No rule changed the proposal.</p>
        ) : (
          <ol class="plain-list">
            {policy.map((rule) => (
              <li key={rule}>{words(rule)}</li>
            ))}
          </ol>
        )}
      </section>
    </div>
  );
}

type BriefDocument = NonNullable<NonNullable<RunDocument["outcome"]>["brief"]>;

function Brief({ brief }: { brief: BriefDocument }): JSX.Element {
  return (
    <section class="brief">
      <h3>Brief</h3>
      <h4>Now</h4>
      <p dir="auto">{brief.currentBehavior}</p>
      <h4>Wanted</h4>
      <p dir="auto">{brief.desiredBehavior}</p>
      <TextList title="Key interfaces" level="h4" items={brief.keyInterfaces} />
      <TextList title="Acceptance criteria" level="h4" items={brief.acceptanceCriteria} />
      <TextList title="Out of scope" level="h4" items={brief.outOfScope} />
    </section>
  );
}

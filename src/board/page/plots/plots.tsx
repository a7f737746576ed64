import type { JSX } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { Empty, FailureNotice, Heading, Reading } from "../chrome/index.ts";
import { type BoardModel, useDocument } from "../model/index.ts";
import { CostPerOutcome } from "./cost-per-outcome.tsx";
import { OutcomesOverTime } from "./outcomes-over-time.tsx";
import { QueueAge } from "./queue-age.tsx";
import { TimePerPhase } from "./time-per-phase.tsx";

const SPANS = [7, 30, 90] as const;

/** Renders all plots. */
export function Plots({ model }: { model: BoardModel }): JSX.Element {
  const [days, setDays] = useState<number>(30);
  useLayoutEffect(() => window.scrollTo(0, 0), []);
  const reading = useDocument(String(days), (signal) => model.data.statistics(days, signal));
  return (
    <section class="plots">
      <div class="plots-head">
        <Heading>Plots</Heading>
        {model.data.source === "report" ? null : (
          <div class="segments" role="group" aria-label="Time span">
            {SPANS.map((span) => (
              <button key={span} type="button" aria-pressed={span === days} onClick={() => setDays(span)}>
                {span} days
              </button>
            ))}
          </div>
        )}
      </div>
      {reading.type === "reading" ? <Reading what="the statistics" /> : null}
      {reading.type === "failed" ? <FailureNotice failure={reading.failure} /> : null}
      {reading.type !== "read" ? null : reading.document.outcomes.length === 0 &&
        reading.document.phases.length === 0 ? (
        <Empty title={`No Triage Run in the last ${days} days.`} />
      ) : (
        <div class="plots-grid">
          <OutcomesOverTime outcomes={reading.document.outcomes} />
          <TimePerPhase phases={reading.document.phases} />
          <CostPerOutcome costs={reading.document.costs} />
          <QueueAge bins={reading.document.queueAges} />
        </div>
      )}
    </section>
  );
}

import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { FailureNotice, Heading, Reading, useKeys } from "../chrome/index.ts";
import {
  type BoardModel,
  goTo,
  goToOverview,
  noFilters,
  replaceRoute,
  routeHash,
  useDocument,
} from "../model/index.ts";
import { Comparison } from "./comparison.tsx";
import { Gantt } from "./gantt.tsx";
import { timelineRevision } from "./timeline-revision.ts";

interface BatchViewProps {
  model: BoardModel;
  runId: string;
  /** The batch to compare with; null: none. */
  other: string | null;
}

/** Renders one Triage Batch over time, alone or next to another batch (B10). */
export function BatchView({ model, runId, other }: BatchViewProps): JSX.Element {
  const batch = model.batches.value.get(runId);
  const isLive = batch?.finishedAtMs === null && batch.parent.state !== "dead";
  const nowMs = isLive ? model.nowMs.value : (batch?.finishedAtMs ?? model.nowMs.peek());
  const newest = timelineRevision(runId, batch, model.runs.changed.value.values(), model.gaps.value);
  // A live batch is read again at most once a second, because a time line may be long.
  const revision = useMemo(() => newest, [isLive ? Math.floor(nowMs / 1_000) : newest]);
  const timeline = useDocument(runId, (signal) => model.data.timeline(runId, signal), revision);
  const compared = useDocument(`with ${other}`, (signal) =>
    other === null ? Promise.resolve(null) : model.data.timeline(other, signal),
  );
  useEffect(() => void model.needBatch(runId).catch(() => undefined), [runId]);
  useKeys({ Escape: goToOverview });
  if (timeline.type === "failed")
    return (
      <article class="stack">
        <Heading>Triage Batch {runId}</Heading>
        <FailureNotice failure={timeline.failure} />
      </article>
    );
  if (timeline.type === "reading") return <Reading what="the Triage Batch" />;
  const others = model.batchList.value.filter((one) => one.runId !== runId);
  return (
    <article class="batch-view stack">
      <div class="plots-head">
        <Heading>Triage Batch {runId}</Heading>
        <div class="control-row">
          <a
            class="button small"
            href={routeHash({ view: "overview", filters: { ...noFilters, batch: runId } })}
          >
            Its Triage Runs
          </a>
          {others.length === 0 ? null : (
            <label>
              Compare with{" "}
              <select
                value={other ?? ""}
                onChange={({ currentTarget: { value } }) =>
                  replaceRoute({ view: "batch", runId, other: value === "" ? null : value })
                }
              >
                <option value="">no other</option>
                {others.map((one) => (
                  <option key={one.runId} value={one.runId}>
                    {one.runId}
                  </option>
                ))}
              </select>
            </label>
          )}
          {other === null ? null : (
            <button
              type="button"
              class="button small"
              onClick={() => goTo({ view: "batch", runId: other, other: runId })}
            >
              Swap
            </button>
          )}
        </div>
      </div>
      <Gantt timeline={timeline.document} nowMs={nowMs} />
      {compared.type === "failed" ? <FailureNotice failure={compared.failure} /> : null}
      {compared.type === "read" && compared.document !== null && other !== null ? (
        <Comparison
          names={[other, runId]}
          before={compared.document}
          after={timeline.document}
          nowMs={nowMs}
        />
      ) : null}
    </article>
  );
}

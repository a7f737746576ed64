import type { JSX } from "preact";
import type { RunDocument, RunRowDocument } from "../../api/index.ts";
import { type BoardModel, formatDuration } from "../model/index.ts";

interface PhaseStepsProps {
  model: BoardModel;
  run: RunRowDocument;
  history: RunDocument["history"];
}

/** Renders the phases of a run. A phase is wider the longer it lasted. */
export function PhaseSteps({ model, run, history }: PhaseStepsProps): JSX.Element {
  const isOver = run.settledAtMs !== null;
  return (
    <ol class="phases" aria-label="Phases">
      {history.map(({ phase, atMs }, index) => {
        const next = history[index + 1];
        const isCurrent = next === undefined && !isOver;
        const lastedMs = next === undefined ? (isOver ? null : model.nowMs.value - atMs) : next.atMs - atMs;
        return (
          <li
            key={phase}
            class={isCurrent ? "current" : ""}
            style={{
              flexGrow: lastedMs === null ? 0 : Math.max(1, Math.sqrt(Math.max(0, lastedMs) / 1_000)),
            }}
            {...(isCurrent ? { "aria-current": "step" as const } : {})}
          >
            <span class="phase-name">{phase}</span>
            <span class="muted number">{lastedMs === null ? "" : formatDuration(Math.max(0, lastedMs))}</span>
          </li>
        );
      })}
    </ol>
  );
}

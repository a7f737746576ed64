import type { JSX } from "preact";
import type { RunDocument } from "../../api/index.ts";
import { formatDuration } from "../model/index.ts";

type Runs = NonNullable<RunDocument["verification"]>["runs"];

/** Renders the runs of a reproduction. */
export function ReproductionRuns({ runs }: { runs: Runs }): JSX.Element | null {
  if (runs.length === 0) return null;
  return (
    <section class="card">
      <h2>Runs</h2>
      {runs.map((run, index) => (
        <details key={index} class="reproduction-run" open={index === 0}>
          <summary>
            <strong>Run {index + 1}</strong>
            <span class={run.matched ? "tone-text-good" : "tone-text-bad"}>
              {run.matched ? "showed the bug" : "did not show it"}
            </span>
            <span class="muted number">
              {run.timedOut ? "timed out" : `exit code ${run.exitCode ?? "none"}`} ·{" "}
              {formatDuration(run.durationMs)}
            </span>
          </summary>
          <pre class="code" tabIndex={0}>
            {run.outputExcerpt}
          </pre>
        </details>
      ))}
    </section>
  );
}

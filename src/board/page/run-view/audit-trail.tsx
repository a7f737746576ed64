import type { JSX } from "preact";
import type { RunDocument } from "../../api/index.ts";
import { Empty } from "../chrome/index.ts";
import { formatInstant } from "../model/index.ts";

/** Renders the writes to GitHub for this issue, from the batch's audit log. */
export function AuditTrail({ document: { audit, comment } }: { document: RunDocument }): JSX.Element {
  const problem =
    audit.problem === null ? null : (
      <div class="notice tone-bad" role="alert">
        <p>
          <strong>The audit log is not intact:</strong> {audit.problem}
        </p>
      </div>
    );
  if (audit.entries.length === 0)
    return (
      <>
        {problem}
        <Empty
          title={
            comment === null || comment.url === null
              ? "Nothing was written to GitHub."
              : "The audit log of the batch is no longer in this home."
          }
        />
      </>
    );
  return (
    <section class="card">
      <h2>Audit trail</h2>
      {problem}
      <ol class="trail">
        {audit.entries.map(({ seq, at, action, fact, text }) => (
          <li key={seq} class={`fact-${fact}`}>
            <span class="muted number">{formatInstant(at)}</span>
            <span class="trail-fact">{action === "undo" ? `undo, ${fact}` : fact}</span>
            <span dir="auto">{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

import type { JSX } from "preact";
import type { RunDocument } from "../../api/index.ts";
import { Chip, Empty, ExternalLink } from "../chrome/index.ts";
import { formatInstant, words } from "../model/index.ts";

/** Renders the run's pull requests. */
export function PullRequestList({
  document: { pullRequests, nudges },
}: {
  document: RunDocument;
}): JSX.Element {
  if (pullRequests.length === 0 && nudges.length === 0)
    return (
      <Empty title="No pull request closes this issue.">
        <p>
          <code>afk-triage list --refresh</code> looks again.
        </p>
      </Empty>
    );
  return (
    <div class="columns">
      <section class="card">
        <h2>Pull requests</h2>
        <ul class="rows">
          {pullRequests.map(({ number, url, status }) => (
            <li key={number}>
              <ExternalLink url={url}>
                <span class="number">#{number}</span>
              </ExternalLink>
              <Chip code={status} />
            </li>
          ))}
        </ul>
      </section>
      <section class="card">
        <h2>Nudges</h2>
        {nudges.length === 0 ? <p class="muted">none</p> : null}
        <ul class="rows">
          {nudges.map(({ kind, pullRequest, atMs, refusal }) => (
            <li key={`${kind}${pullRequest}${atMs}`}>
              <span>{words(kind)}</span>
              <span class="number">#{pullRequest}</span>
              <span class={refusal === null ? "muted" : "tone-text-warn"}>
                {refusal === null ? "sent" : `refused (${words(refusal)})`}
                {atMs === null ? "" : ` ${formatInstant(atMs)}`}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

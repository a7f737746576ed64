import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { DuplicateClusterDocument } from "../../api/index.ts";
import { Empty, ExternalLink, FailureNotice, Heading, Reading } from "../chrome/index.ts";
import { type BoardModel, count, useDocument } from "../model/index.ts";

/** Renders the clusters of issues that report one cause, the clusters with the most reporters first. */
export function Duplicates({ model }: { model: BoardModel }): JSX.Element {
  useLayoutEffect(() => window.scrollTo(0, 0), []);
  // The document is read again after each change, because a Triage Run that ends may have linked issues.
  const reading = useDocument(
    "duplicates",
    (signal) => model.data.duplicates(signal),
    model.runs.changed.value,
  );
  return (
    <section class="duplicates">
      <Heading>Duplicates</Heading>
      <p class="muted">
        “Is a duplicate” is proven: the reproductions of both issues show one cause. “May be” is what a Triage
        Agent chose among similar issues; nothing proves it.
      </p>
      {reading.type === "reading" ? <Reading what="the duplicates" /> : null}
      {reading.type === "failed" ? <FailureNotice failure={reading.failure} /> : null}
      {reading.type !== "read" ? null : reading.document.clusters.length === 0 ? (
        <Empty title="No issue is linked to another one yet." />
      ) : (
        <ul class="clusters">
          {reading.document.clusters.map((cluster) => (
            <Cluster key={`${cluster.repo}#${cluster.members[0]?.number}`} cluster={cluster} />
          ))}
        </ul>
      )}
    </section>
  );
}

const KINDS = {
  canonical: ["original", "accent"],
  proven: ["is a duplicate", "good"],
  "may-be": ["may be the same", "quiet"],
} as const;

function Cluster({
  cluster: { repo, reporters, members },
}: {
  cluster: DuplicateClusterDocument;
}): JSX.Element {
  return (
    <li class="cluster">
      <p class="cluster-head">
        <strong>{count(reporters, "reporter")}</strong> <span class="muted">{repo}</span>
      </p>
      <ul>
        {members.map(({ number, title, kind, issueUrl, reasons }) => (
          <li key={number} class="cluster-member">
            <span class={`chip tone-${KINDS[kind][1]}`}>{KINDS[kind][0]}</span>
            <div class="cluster-issue">
              <p>
                <ExternalLink url={issueUrl}>{`#${number}`}</ExternalLink> {title}
              </p>
              {reasons.map((reason) => (
                <p key={reason} class="small muted">
                  {reason}
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </li>
  );
}

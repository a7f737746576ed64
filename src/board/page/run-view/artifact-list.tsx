import type { JSX } from "preact";
import type { RunDocument } from "../../api/index.ts";
import { Empty, Icon } from "../chrome/index.ts";
import type { BoardData } from "../data/index.ts";
import { formatBytes, words } from "../model/index.ts";
import { MAX_PATCH_BYTES, PatchView } from "./patch-view.tsx";

/** Renders the links to a run's artifacts. */
export function ArtifactList({ data, document }: { data: BoardData; document: RunDocument }): JSX.Element {
  const { artifacts, run } = document;
  if (artifacts.length === 0)
    return <Empty title={run.end === null ? "No artifacts yet." : "No artifacts are in this home."} />;
  const screenshot = artifacts.some(({ kind }) => kind === "screenshot")
    ? data.artifactUrl(run.id, "screenshot")
    : null;
  const hasPatch =
    data.source === "live" &&
    artifacts.some(({ kind, sizeBytes }) => kind === "patch" && sizeBytes <= MAX_PATCH_BYTES);
  return (
    <div class="columns">
      <section class="card">
        <h2>Artifacts</h2>
        <ul class="rows">
          {artifacts.map(({ kind, sizeBytes, mediaType }) => {
            const url = data.artifactUrl(run.id, kind);
            return (
              <li key={kind}>
                {url === null ? (
                  <span title="too large for this report">{words(kind)}</span>
                ) : (
                  <a href={url} download>
                    <Icon name="download" /> {words(kind)}
                  </a>
                )}
                <span class="muted">{mediaType}</span>
                <span class="muted number">{formatBytes(sizeBytes)}</span>
              </li>
            );
          })}
        </ul>
      </section>
      {hasPatch ? (
        <section class="card">
          <h2>Patch</h2>
          <PatchView data={data} id={run.id} />
        </section>
      ) : null}
      {screenshot === null ? null : (
        <section class="card">
          <h2>Last screen of the Triage Agent</h2>
          <img
            class="screenshot"
            src={screenshot}
            alt="The Triage Agent's terminal at its end"
            loading="lazy"
          />
        </section>
      )}
    </div>
  );
}

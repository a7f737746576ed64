import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { RunDocument } from "../../api/index.ts";
import { firstViewIsDrawn } from "../browser/index.ts";
import { FailureNotice, Heading, Reading, useKeys } from "../chrome/index.ts";
import { type BoardModel, goToOverview, type RunTab, useDocument } from "../model/index.ts";
import { ArtifactList } from "./artifact-list.tsx";
import { AuditTrail } from "./audit-trail.tsx";
import { CommentView } from "./comment-view.tsx";
import { IssueView } from "./issue-view.tsx";
import { whyNoRun } from "./no-run.ts";
import { OutcomeView } from "./outcome-view.tsx";
import { PullRequestList } from "./pull-request-list.tsx";
import { ReproductionView } from "./reproduction-view.tsx";
import { RunHead } from "./run-head.tsx";
import { Tabs } from "./tabs.tsx";
import { TerminalView } from "./terminal-view.tsx";
import { type RecordingAhead, useRecordingAhead } from "./use-recording-ahead.ts";

interface RunViewProps {
  model: BoardModel;
  id: string;
  tab: RunTab;
}

/** Renders one Triage Run. */
export function RunView({ model, id, tab }: RunViewProps): JSX.Element {
  const row = model.runs.get(id);
  const [followUpsEnded, setFollowUpsEnded] = useState(0);
  const changed = model.runs.changed.value.get(id);
  const revision = useMemo(() => ({}), [changed, model.gaps.value, followUpsEnded]);
  const recordingAhead = useRecordingAhead(model.data, id, {
    isTerminal: tab === "terminal",
    isUnderWay: row?.end === null,
  });
  const reading = useDocument(id, (signal) => model.data.run(id, signal), revision);
  useKeys({ Escape: goToOverview });
  useLayoutEffect(() => window.scrollTo(0, 0), [id]);
  const isDrawn =
    reading.type === "failed" || (reading.type === "read" && reading.document.terminals.length === 0);
  // If there is a terminal, it reports itself when it is drawn.
  useEffect(() => {
    if (isDrawn) firstViewIsDrawn();
  }, [isDrawn]);
  if (reading.type === "failed")
    return (
      <article class="stack">
        <Heading>Triage Run {id}</Heading>
        <FailureNotice failure={whyNoRun(reading.failure)}>
          <button type="button" class="button" onClick={goToOverview}>
            To the board
          </button>
        </FailureNotice>
      </article>
    );
  if (reading.type === "reading") return <Reading what="the Triage Run" />;
  const { document: read } = reading;
  // The list's row is preferred, because the list receives a change first.
  const run = row ?? read.run;
  return (
    <article class="run-view">
      <RunHead model={model} run={run} document={read} onLeave={goToOverview} />
      <Tabs id={id} tab={tab} document={read} />
      <div role="tabpanel" id="panel" aria-labelledby={`tab-${tab}`} class="panel">
        <Panel
          model={model}
          tab={tab}
          document={{ ...read, run }}
          ahead={recordingAhead(read)}
          onFollowUpEnd={() => setFollowUpsEnded((before) => before + 1)}
        />
      </div>
    </article>
  );
}

function Panel({
  model,
  tab,
  document,
  ahead,
  onFollowUpEnd,
}: {
  model: BoardModel;
  tab: RunTab;
  document: RunDocument;
  ahead: RecordingAhead;
  onFollowUpEnd: () => void;
}): JSX.Element {
  switch (tab) {
    case "terminal":
      return <TerminalView model={model} document={document} ahead={ahead} onFollowUpEnd={onFollowUpEnd} />;
    case "issue":
      return <IssueView model={model} run={document.run} />;
    case "outcome":
      return <OutcomeView document={document} />;
    case "reproduction":
      return <ReproductionView model={model} document={document} onFollowUpEnd={onFollowUpEnd} />;
    case "comment":
      return <CommentView document={document} />;
    case "audit":
      return <AuditTrail document={document} />;
    case "pull-requests":
      return <PullRequestList document={document} />;
    case "artifacts":
      return <ArtifactList data={model.data} document={document} />;
  }
}

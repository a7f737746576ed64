import type { JSX } from "preact";
import type { InertBlock, IssueDocument, RunRowDocument } from "../../api/index.ts";
import { Empty, ExternalLink, FailureNotice, Reading } from "../chrome/index.ts";
import { type BoardModel, count, formatInstant, useDocument } from "../model/index.ts";
import { InertComment } from "./inert-comment.tsx";

type Issue = NonNullable<IssueDocument["issue"]>;

/** Renders the issue and its thread as the Triage Agent received them (B10). */
export function IssueView({ model, run }: { model: BoardModel; run: RunRowDocument }): JSX.Element {
  const reading = useDocument(run.id, (signal) => model.data.issue(run.id, signal));
  if (reading.type === "failed") return <FailureNotice failure={reading.failure} />;
  if (reading.type === "reading") return <Reading what="the issue" />;
  const { issue } = reading.document;
  if (issue === null)
    return (
      <Empty title="The issue's text is not in this home.">
        <p>It is kept from when a Triage Agent starts on the issue until the files of the run are removed.</p>
      </Empty>
    );
  return (
    <section class="card">
      <h2>
        <ExternalLink url={run.issueUrl}>Issue as the Triage Agent read it</ExternalLink>
      </h2>
      {issue.hiddenTexts === 0 ? null : (
        <p class="muted">Hidden text was removed or made visible in {count(issue.hiddenTexts, "place")}.</p>
      )}
      <Post heading={issue.title} by={issue.author} at={issue.createdAt} blocks={issue.blocks} />
      {issue.labels.length === 0 ? null : <p class="muted">Labels: {issue.labels.join(", ")}</p>}
      <Comments issue={issue} />
    </section>
  );
}

function Comments({ issue: { comments, omittedComments } }: { issue: Issue }): JSX.Element {
  return (
    <>
      {omittedComments === 0 ? null : <p class="muted">{count(omittedComments, "older comment")} omitted.</p>}
      {comments.map(({ author, isReporter, createdAt, blocks }, index) => (
        <Post
          key={index}
          heading={isReporter ? "Comment of the reporter" : "Comment"}
          by={author}
          at={createdAt}
          blocks={blocks}
        />
      ))}
    </>
  );
}

interface PostProps {
  heading: string;
  /** null: the account was deleted. */
  by: string | null;
  at: string;
  blocks: readonly InertBlock[];
}

function Post({ heading, by, at, blocks }: PostProps): JSX.Element {
  return (
    <article class="post">
      <h3 dir="auto">{heading}</h3>
      <p class="muted">
        {by ?? "a deleted account"}, <span class="number">{formatInstant(at)}</span>
      </p>
      {blocks.length === 0 ? <p class="muted">No text.</p> : <InertComment blocks={blocks} />}
    </article>
  );
}

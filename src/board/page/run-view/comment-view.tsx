import type { JSX } from "preact";
import type { RunDocument } from "../../api/index.ts";
import { Empty, ExternalLink } from "../chrome/index.ts";
import { InertComment } from "./inert-comment.tsx";

/** Renders the published comment, laid out and as its Markdown. */
export function CommentView({ document: { comment } }: { document: RunDocument }): JSX.Element {
  if (comment === null) return <Empty title="No comment was published." />;
  if (comment.markdown === "")
    return (
      <Empty title="The text of the comment is no longer in this home.">
        <ExternalLink url={comment.url}>Comment as published</ExternalLink>
      </Empty>
    );
  return (
    <section class="card">
      <h2>
        <ExternalLink url={comment.url}>Comment as published</ExternalLink>
      </h2>
      <InertComment blocks={comment.blocks} />
      <details open={comment.blocks.length === 0}>
        <summary>As Markdown</summary>
        <pre class="code wrap" dir="auto" tabIndex={0}>
          {comment.markdown}
        </pre>
      </details>
    </section>
  );
}

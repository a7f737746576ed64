import type { JSX } from "preact";
import type { RunDocument } from "../../api/index.ts";
import { Empty, ExternalLink } from "../chrome/index.ts";

/** Renders the published Markdown as plain text. */
export function CommentView({ document: { comment } }: { document: RunDocument }): JSX.Element {
  if (comment === null) return <Empty title="No comment was published." />;
  return (
    <section class="card">
      <h2>
        <ExternalLink url={comment.url}>Comment as published</ExternalLink>
      </h2>
      <pre class="code wrap" dir="auto" tabIndex={0}>
        {comment.markdown}
      </pre>
    </section>
  );
}

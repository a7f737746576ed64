import type { JSX } from "preact";
import type { InertBlock } from "../../api/index.ts";

/**
 * Renders Markdown that was laid out as blocks (B10). Nothing in it is active: a link is shown as its text followed by its
 * address.
 */
export function InertComment({ blocks }: { blocks: readonly InertBlock[] }): JSX.Element {
  return (
    <div class="inert-comment" dir="auto">
      {blocks.map((block, index) => (
        <Block key={index} block={block} />
      ))}
    </div>
  );
}

function Block({ block: { kind, depth, spans } }: { block: InertBlock }): JSX.Element {
  const text = spans.map((span, index) => <Span key={index} span={span} />);
  const place = { class: `inert-${kind}`, style: { marginLeft: `${Math.min(depth, 8) * 18}px` } };
  switch (kind) {
    case "heading":
      return <h3 {...place}>{text}</h3>;
    case "code":
      return <pre {...place}>{text}</pre>;
    case "rule":
      return <hr />;
    case "item":
    case "row":
    case "paragraph":
      return <p {...place}>{text}</p>;
  }
}

function Span({ span: { text, styles, url } }: { span: InertBlock["spans"][number] }): JSX.Element {
  const address = url === null || url === text ? null : <span class="muted"> ({url})</span>;
  return (
    <span class={styles.map((style) => `inert-${style}`).join(" ")}>
      {text}
      {address}
    </span>
  );
}

import type { ComponentChildren, JSX } from "preact";
import type { Failure } from "../data/index.ts";

/** Renders a failure: what was attempted, what was seen, what to do. */
export function FailureNotice({
  failure,
  children,
}: {
  failure: Failure;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="notice tone-bad" role="alert">
      <p>
        <strong>{failure.message}</strong>
      </p>
      <p>{failure.remedy}</p>
      {children}
    </div>
  );
}

/**
 * Renders the placeholder of an empty list. `isPage`: the page shows nothing else, so the placeholder's title is the page's
 * heading.
 */
export function Empty({
  title,
  isPage = false,
  children,
}: {
  title: string;
  isPage?: boolean;
  children?: ComponentChildren;
}): JSX.Element {
  const Title = isPage ? "h1" : "p";
  return (
    <div class="empty">
      <Title class="empty-title">{title}</Title>
      {children}
    </div>
  );
}

/** Renders the placeholder of a document that is being read. */
export function Reading({ what }: { what: string }): JSX.Element {
  return (
    <p class="reading" role="status">
      Reading {what} …
    </p>
  );
}

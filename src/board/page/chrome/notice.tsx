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

/** Renders the placeholder of an empty list. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
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

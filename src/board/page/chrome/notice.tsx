import type { ComponentChildren, JSX } from "preact";
import type { Failure } from "../data/index.ts";

/** What was attempted and seen, and what to do. */
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

export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function Reading({ what }: { what: string }): JSX.Element {
  return (
    <p class="reading" role="status">
      Reading {what} …
    </p>
  );
}

import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { wasNavigated } from "../model/index.ts";

/** Renders the heading of a view, which gets the focus if the element that led to the view is gone (B8). */
export function Heading({ children }: { children: ComponentChildren }): JSX.Element {
  useEffect(() => {
    if (wasNavigated()) focusHeading();
  }, []);
  return (
    <h1 dir="auto" tabIndex={-1}>
      {children}
    </h1>
  );
}

/** Moves the focus to the view's heading if nothing has it. Keyboard users and screen readers continue from there. */
export function focusHeading(): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
}

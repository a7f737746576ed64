import type { PageClock } from "./clock.ts";

/** The longest time, in milliseconds, that everything else waits for the first view. */
const LONGEST_MS = 1_000;

let isDrawn: () => void = () => undefined;
const drawn = new Promise<void>((resolve) => (isDrawn = resolve));

/** Tells that the view in the page's address is on the screen, cannot be, or has nothing to wait for. */
export function firstViewIsDrawn(): void {
  isDrawn();
}

/** Lets everything that the first view does not need wait for it, for a second at most. */
export function drawFirstViewFirst(clock: PageClock): void {
  clock.schedule(LONGEST_MS, isDrawn);
}

/** Resolves when the first view is drawn. */
export function afterFirstView(): Promise<void> {
  return drawn;
}

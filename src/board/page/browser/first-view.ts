import type { PageClock } from "./clock.ts";

/** The longest time, in milliseconds, that everything else waits for the first view. */
const LONGEST_MS = 1_000;

let isDrawn: () => void = () => undefined;
const drawn = new Promise<void>((resolve) => (isDrawn = resolve));

/** Tells that the view in the page's address is on the screen, or cannot be. */
export function firstViewIsDrawn(): void {
  isDrawn();
}

/** Resolves when the first view is drawn, or after a second: what it does not need is not read before it. */
export function afterFirstView(clock: PageClock): Promise<void> {
  clock.schedule(LONGEST_MS, isDrawn);
  return drawn;
}

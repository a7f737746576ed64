let isDrawn: () => void = () => undefined;
const drawn = new Promise<void>((resolve) => (isDrawn = resolve));

/** Tells that the view in the page's address is on the screen, cannot be, or need not be waited for any longer. */
export function firstViewIsDrawn(): void {
  isDrawn();
}

/** Resolves when the first view is drawn: what it does not need is read then. */
export function afterFirstView(): Promise<void> {
  return drawn;
}

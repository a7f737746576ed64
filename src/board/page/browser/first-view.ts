let isDrawn: () => void = () => undefined;
const drawn = new Promise<void>((resolve) => (isDrawn = resolve));

/** Reports that the view in the page's address is on the screen, cannot be shown, or need not be waited for any longer. */
export function firstViewIsDrawn(): void {
  isDrawn();
}

/** Resolves when the first view is drawn; documents that it does not need are read only then. */
export function afterFirstView(): Promise<void> {
  return drawn;
}

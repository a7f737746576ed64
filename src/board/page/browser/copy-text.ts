/**
 * Copies a text by briefly selecting a hidden field, which needs a key press or a click, but no secure origin and no permission.
 * Returns false when the browser refuses.
 */
export function copyText(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.className = "visually-hidden";
  field.value = text;
  document.body.append(field);
  field.select();
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- the Clipboard API exists only on secure origins
    return document.execCommand("copy");
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}

/** Characters that change the order in which the text around them is drawn (Unicode's Bidi_Control). */
const BIDI_CONTROL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns the text with the names of bidi controls instead of them, such as ‹U+202E›, so that text is shown in the order in which
 * it is written (B8).
 */
export function visibleText(text: string): string {
  return text.replaceAll(
    BIDI_CONTROL,
    (control) => `‹U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}›`,
  );
}

/** Returns parsed JSON in which bidi controls are visible; its texts must not be sent back. */
export function parseShown(json: string): unknown {
  return JSON.parse(visibleText(json));
}

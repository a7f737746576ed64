/** Control characters except line feed and tab, bidirectional controls, zero-width characters and Unicode tags. */
const ACTIVE =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

/** Matches whole escape sequences, so that their parameters do not remain as text. */
const ESCAPE_SEQUENCE = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/g;

/** Returns an untrusted text without everything that a terminal would obey or that would mislead a reader. */
export function inert(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(ESCAPE_SEQUENCE, "").replace(ACTIVE, "");
}

/** Returns the text on one line with at most `limit` characters. */
export function oneLine(text: string, limit: number): string {
  return clip(text.replace(/\s+/g, " ").trim(), limit);
}

/** Returns at most `limit` characters; a cut is marked with `…`. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

/**
 * Returns the text cut to `columns` of a terminal. Every character beyond Latin counts as two columns, so that the result is never
 * too wide.
 */
export function fitColumns(text: string, columns: number): string {
  let used = 0;
  let fitted = "";
  for (const character of text.replace(/\s/g, " ")) {
    used += (character.codePointAt(0) ?? 0) < 0x1100 || "✓▸·…—".includes(character) ? 1 : 2;
    if (used > columns) return fitted;
    fitted += character;
  }
  return fitted;
}

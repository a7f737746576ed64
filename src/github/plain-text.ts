import { removeInvisible, showBidi } from "./invisible-characters.ts";

/** CSI, then OSC / DCS / SOS / PM / APC with their payload, then every other escape sequence; 7-bit and 8-bit forms. */
export const ESCAPE_SEQUENCES = new RegExp(
  [
    "(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]",
    "(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x90\\x98\\x9c-\\x9f]*(?:\\x07|\\x1b\\\\|\\x9c)",
    "\\x1b[ -/]*[0-~]",
  ].join("|"),
  "g",
);

/**
 * Returns terminal output or untrusted text as inert plain text, for logs, summaries and messages (S10): without escape
 * sequences, control characters and invisible characters, with new lines in place of carriage returns (so that nothing is
 * overwritten), and without lines that a GitHub Actions runner would take as a command
 * (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
 */
export function plainText(text: string): string {
  const stripped = removeInvisible(
    text.replaceAll(ESCAPE_SEQUENCES, "").replaceAll(/\r\n?|[\u2028\u2029]/g, "\n"),
  );
  return inertCommands(stripped);
}

/**
 * Returns the same plain text for people to read: characters that would reorder the text on a page or a screen are shown, e.g. as
 * `[U+202E]` (S23).
 */
export function shownText(text: string): string {
  return plainText(showBidi(text));
}

/**
 * Returns the text without commands of the runner, which takes `::` at the start of a line (after white space) and `##[` anywhere
 * in a line as commands. An inserted space breaks both.
 */
function inertCommands(text: string): string {
  return text.replaceAll(/^([^\S\n]*):(?=:)/gm, "$1: ").replaceAll(/##(?=\[)/g, "## ");
}

/**
 * Returns plain text cut to at most `maxChars` UTF-16 units, including the notice. It must be called before the text is fenced or
 * rendered.
 */
export function truncateWithNotice(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const notice = (shown: number): string =>
    `\n… (${text.length - shown} of ${text.length} characters not shown)`;
  const room = Math.max(0, maxChars - notice(0).length);
  const kept = text.slice(0, room).replace(/[\ud800-\udbff]$/, "");
  return `${kept}${notice(kept.length)}`.slice(0, Math.max(0, maxChars));
}

/** Returns untrusted text escaped for HTML, so that it contains no markup and cannot reorder the page. */
export function htmlText(value: string): string {
  return shownText(value)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

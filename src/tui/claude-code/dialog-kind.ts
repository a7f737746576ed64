import type { DialogKind } from "../signals.ts";

/**
 * The patterns that recognise a kind of dialog. If both are given, both must match: the heading of a permission
 * dialog and its label "don't ask again for: …" quote a command of the model, and that command must not turn it into
 * a dialog with another policy.
 */
interface KindPattern {
  kind: DialogKind;
  /** Tested on the heading, one row per line. */
  heading?: RegExp;
  /** Tested on each label. */
  choice?: RegExp;
}

const KINDS: readonly KindPattern[] = [
  { kind: "trust", choice: /^Yes, I trust this folder$/i },
  { kind: "add-directory", heading: /^Adding a new directory:/m, choice: /^Yes, add it$/i },
  {
    kind: "bypass-permissions",
    heading: /^WARNING: Claude Code running in\s+Bypass\s+Permissions\s+mode/m,
    choice: /^Yes, I accept$/i,
  },
  { kind: "api-key", heading: /^Detected a custom API key\b/m, choice: /^No \(recommended\)$/i },
  // Labels that no permission has, whatever command it quotes.
  {
    kind: "login",
    heading: /^Select login method/m,
    choice: /^(?!Yes\b|No\b).*\b(?:account|subscription)\b/i,
  },
  {
    kind: "theme",
    heading: /^Choose the text style|\bchoose a theme\b/im,
    choice: /^(?:Auto|Dark|Light)\b/i,
  },
  { kind: "plan-exit", heading: /^(?:Exit plan mode\?|Claude wants to exit plan mode$)/m },
  { kind: "plan-exit", choice: /^(?:No, keep planning|Yes, (?:and )?manually approve edits)/i },
  // Only a tool's action is a permission, because "Yes" to it is given without a person: by its title, its question or its notice.
  {
    kind: "permission",
    heading:
      /^(?:(?:Bash|PowerShell) command|(?:Create|Edit|Overwrite|Read|Update|Write) (?:file|notebook)|Fetch|Tool use)\b[^]*\b(?:Do\s+you\s+want|Would\s+you\s+like)\b[^?]*\?/i,
  },
  {
    kind: "permission",
    heading:
      /\bDo\s+you\s+want\s+to\s+(?:proceed\?|make\s+this\s+edit\b|(?:create|overwrite)\s+(?!(?:an?|the|your)\s)[^?]*\?|(?:insert|delete)\s+this\s+cell\b|allow\s+this\s+connection\b|allow\s+Claude\s+to\s+(?:edit|fetch|list|read|run|search|write)\b)/i,
  },
  { kind: "permission", heading: /\bThis\s+command\s+requires\s+(?:your\s+)?approval\b/i },
  {
    kind: "update",
    heading: /\b(?:new version|update) (?:of Claude Code )?(?:is )?available\b|\brelease notes\b/i,
  },
  { kind: "question", heading: /[☐☒✔] /u },
];

/**
 * Returns the kind of a dialog. `isSelection`: the row of keys under the choices says "Enter to select", as it does under the
 * model's own questions.
 */
export function dialogKind(
  headingLines: readonly string[],
  labels: readonly string[],
  isSelection: boolean,
): DialogKind {
  const headingText = headingLines.join("\n");
  const found = KINDS.find(
    ({ heading, choice }) =>
      (heading === undefined || heading.test(headingText)) &&
      (choice === undefined || labels.some((label) => choice.test(label))),
  );
  return found?.kind ?? (isSelection ? "question" : "other");
}

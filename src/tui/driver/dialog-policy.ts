import type { Dialog } from "../signals.ts";
import type { BlockCause } from "./turn-step.ts";

/**
 * The answer to a dialog when no person is present. The runner owns start-up questions (C4); the reasons for each answer are in
 * ADR 25.
 */
export type DialogAnswer =
  /** Index into the dialog's choices. */
  | { type: "choose"; index: number }
  /** Esc, which the model's own questions name as the key that refuses them. */
  | { type: "dismiss" }
  /** Press no key: another version, another set-up or a person has to answer the dialog. */
  | { type: "blocked"; cause: BlockCause; reason: string };

/**
 * Returns the answer to a dialog. It is chosen by label, never by position, because the preselected row differs between versions.
 */
export function answerDialog(dialog: Dialog): DialogAnswer {
  switch (dialog.kind) {
    case "trust":
      return choose(dialog, [/^Yes, I trust this folder$/i]);
    case "add-directory":
      return choose(dialog, [/^Yes, add it$/i]);
    case "api-key":
      return choose(dialog, [/^Yes$/i]);
    case "permission":
      return choose(dialog, DANGEROUS.test(dialog.heading) ? [/^No\b/i] : [/^Yes$/i, ONCE]);
    case "plan-exit":
      return choose(dialog, [/^Yes$/i, ASK_EACH_TIME]);
    case "update":
      return choose(dialog, [/^(?:No\b|Not now|Skip|Later|Remind me|Continue without)/i]);
    case "question":
      return { type: "dismiss" };
    case "bypass-permissions":
      return stuck("its warning of bypass-permissions mode, which a Triage Run never accepts");
    case "login":
      return stuck("its log-in screen: it found no model credential");
    case "theme":
      return stuck("its first-run set-up (theme)");
    case "other":
      return unknownDialog(`a dialog of no known kind: ${dialog.heading}`);
    default:
      return dialog.kind satisfies never;
  }
}

/** Claude Code's own notice, e.g. `Dangerous rm operation on critical path: /`. A command that imitates it is refused, too. */
const DANGEROUS = /\bDangerous\s+\S+\s+operation\b/;
/** Leaves plan mode without approving anything: each action is asked about. */
const ASK_EACH_TIME = /^Yes, (?:and )?(?:manually approve edits|switch to default \(ask each time\))/i;
/** Approves only the shown action, once. Any other "Yes, and …" may approve more. */
const ONCE =
  /^(?:Yes,? )?(?:just )?(?:allow )?(?:this )?once\b(?!.*\b(?:always|ask again|session|project)\b)/i;

/**
 * Returns the only row that matches the first pattern that matches any label. If several rows match, the dialog counts as
 * unknown.
 */
function choose({ kind, choices }: Dialog, wanted: readonly RegExp[]): DialogAnswer {
  const pattern = wanted.find((one) => choices.some((label) => one.test(label)));
  const indexes = choices.flatMap((label, index) => (pattern?.test(label) === true ? [index] : []));
  const [index] = indexes;
  if (index !== undefined && indexes.length === 1) return { type: "choose", index };
  const seen = index === undefined ? "no row that is known to be right" : "several rows that may be right";
  return unknownDialog(`a dialog (${kind}) with ${seen}: ${choices.join(" / ")}`);
}

function unknownDialog(reason: string): DialogAnswer {
  return { type: "blocked", cause: "unknown-dialog", reason };
}

function stuck(reason: string): DialogAnswer {
  return { type: "blocked", cause: "stuck", reason };
}

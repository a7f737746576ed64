import type { Dialog } from "../signals.ts";

/** What to do about a dialog while nobody is there to be asked (C4; the reasons are in ADR 25). */
export type DialogAnswer =
  /** Index into the dialog's choices. */
  | { type: "choose"; index: number }
  /** Esc: the dialog is refused, and whoever asked goes on without. */
  | { type: "dismiss" }
  /** Only a person or another set-up can answer it. */
  | { type: "blocked"; reason: string };

/** Selects by label, never by position: which row is preselected differs between versions. */
export function answerDialog(dialog: Dialog): DialogAnswer {
  switch (dialog.kind) {
    case "trust":
      return choose(dialog, [/\btrust this folder\b/i, /^Trust\b/i]);
    case "api-key":
      return choose(dialog, [/^Yes\b/i]);
    case "permission":
      return choose(dialog, [/^Yes$/i, ONCE]);
    case "update":
      return later(dialog);
    case "question":
    case "other":
      return { type: "dismiss" };
    case "login":
      return { type: "blocked", reason: "its log-in screen: it found no model credential" };
    case "theme":
      return { type: "blocked", reason: "its first-run set-up (theme)" };
    default:
      return dialog.kind satisfies never;
  }
}

/** This once, for what is shown: whatever is asked next is looked at again. */
const ONCE =
  /^(?:Yes|Allow)(?!.*(?:\balways|\bask again|\bauto mode|\ball\b|\bsession\b|\bproject\b|\bbypass))/i;
const LATER = /^(?:No\b|Not now|Skip|Later|Remind me|Continue without)/i;

function choose({ kind, choices }: Dialog, wanted: readonly RegExp[]): DialogAnswer {
  const index = wanted
    .map((pattern) => choices.findIndex((label) => pattern.test(label)))
    .find((found) => found !== -1);
  return index === undefined
    ? { type: "blocked", reason: `a ${kind} dialog that offers no row to allow: ${choices.join(" / ")}` }
    : { type: "choose", index };
}

/** No version may change in the middle of a Triage Run. */
function later({ choices }: Dialog): DialogAnswer {
  const index = choices.findIndex((label) => LATER.test(label));
  return index === -1 ? { type: "dismiss" } : { type: "choose", index };
}

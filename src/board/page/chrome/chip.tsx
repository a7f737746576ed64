import type { JSX } from "preact";
import { label } from "../model/index.ts";

/** The tone of each code. A tone only supports the word, which carries the meaning. */
const TONES: Record<string, string> = {
  terminated: "plain",
  idle: "plain",
  skipped: "plain",
  locked: "plain",
  working: "good",
  needs_input: "warn",
  ci_failed: "bad",
  changes_requested: "warn",
  no_signal: "warn",
  parent_lost: "bad",
  merged: "accent",
  mergeable: "good",
  approved: "good",
  failed: "bad",
  "ready-for-agent": "good",
  "ready-for-human": "accent",
  "needs-info": "warn",
  wontfix: "quiet",
  "needs-triage": "quiet",
  reproduced: "good",
  fixed: "good",
  flaky: "warn",
  "still-broken": "bad",
  "not-reproduced": "bad",
  yes: "good",
  active: "accent",
  ready: "good",
};

/** Renders a code as a small labelled chip. */
export function Chip({ code, title }: { code: string; title?: string }): JSX.Element {
  return (
    <span
      class={`chip tone-${TONES[code] ?? "quiet"}`}
      title={title === undefined ? code : `${title}: ${code}`}
    >
      {label(code)}
    </span>
  );
}

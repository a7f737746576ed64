import type { Traffic } from "../model-server/index.ts";

/** The meaning of an input; recordings carry it as `sem`. */
export type Meaning =
  | "draft"
  | "draft_clear"
  | "submit"
  | "queue"
  | "interrupt"
  | "perm_accept"
  | "perm_reject"
  | "trust_accept"
  | "menu_open"
  | "menu_close"
  | "exit"
  | "launch";

/** Events of a TUI that are known without reading its screen, except for the first appearance of a prompt or a dialog. */
export type Moment = { atMs: number } & (
  | { type: "spawned" }
  | { type: "shown"; what: "prompt" | "trust" | "permission" }
  | { type: "input"; means: Meaning }
  | { type: "traffic"; traffic: Traffic }
  /** The shell that started the TUI has the terminal. */
  | { type: "at-shell" }
  | { type: "exited"; code: number | null }
);

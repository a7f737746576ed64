import type { Traffic } from "../../test/support/model-server/index.ts";
import type { Meaning } from "./scenario.ts";

/** What happened to a TUI and is known without reading its screen, but for the first sight of a prompt or a dialog. */
export type Moment = { atMs: number } & (
  | { type: "spawned" }
  | { type: "shown"; what: "prompt" | "trust" }
  | { type: "input"; means: Meaning }
  | { type: "traffic"; traffic: Traffic }
  | { type: "exited"; code: number | null }
);

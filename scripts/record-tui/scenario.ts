import type { AssistantTurn, Traffic } from "../../test/support/model-server/index.ts";
import type { Meaning } from "../../test/support/tui-recordings/index.ts";

export type Tool = "claude" | "codex";

/** What a recording is made of: what the model answers, and what a person does. */
export interface Scenario {
  name: string;
  /** What it is to show. */
  about: string;
  /** Where not given, both. */
  tools?: readonly Tool[];
  /** The folder is one the tool does not trust yet. Default: it does. */
  asksForTrust?: boolean;
  /** Every tool call waits for permission. */
  asksForPermission?: boolean;
  exchanges: readonly Exchange[];
  steps: readonly Step[];
}

/** What the model answers to one prompt: one turn a request, the last one to every further request. */
export interface Exchange {
  prompt: string;
  turns: readonly [AssistantTurn, ...AssistantTurn[]];
}

export type Step =
  /** Until the prompt, or a question in its place, is on the screen. */
  | { do: "await"; shown: "prompt" | "trust" | "permission" }
  | { do: "await-text"; text: string }
  /** Until the server has seen so many of these since the start. */
  | { do: "await-traffic"; type: Traffic["type"]; times: number }
  /** Until the last failure that the server sent was not followed by another attempt. */
  | { do: "await-give-up" }
  /** The prompt of one exchange, or another text, key by key. */
  | { do: "type"; means: "draft" | "menu_open"; text: string }
  | { do: "keys"; means: Meaning; keys: readonly [string, ...string[]] }
  | { do: "pause"; ms: number }
  | { do: "resize"; cols: number; rows: number }
  | { do: "await-exit" };

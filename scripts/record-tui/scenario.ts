import type { AssistantTurn, Traffic } from "../../test/support/model-server/index.ts";
import type { Tool } from "../install-tool.ts";
import type { Meaning } from "../../test/support/tui-recordings/index.ts";

/** The script of a recording: the model's answers, and a person's actions. */
export interface Scenario {
  name: string;
  /** The subject of the recording. */
  about: string;
  /** Default: Claude Code and Codex, which support every scenario. */
  tools?: readonly Tool[];
  /** The tool does not trust the folder yet. Default: it does. */
  asksForTrust?: boolean;
  /** Every tool call waits for permission. */
  asksForPermission?: boolean;
  /** The tool is started from a shell's prompt and returns to it. Default: the terminal has no shell. */
  isInShell?: boolean;
  /** Variables in addition to those of every tool. */
  env?: Readonly<Record<string, string>>;
  /** Claude Code only: added to its settings. */
  settings?: Readonly<Record<string, unknown>>;
  /** Claude Code only: added to the state that its onboarding left. */
  preferences?: Readonly<Record<string, unknown>>;
  theme?: "dark" | "light" | "dark-ansi" | "light-daltonized";
  /** Claude Code only. */
  args?: readonly string[];
  exchanges: readonly Exchange[];
  steps: readonly Step[];
}

/** The model's answers to one prompt: one turn per request, the last one for every further request. */
export interface Exchange {
  prompt: string;
  turns: readonly [AssistantTurn, ...AssistantTurn[]];
}

export type Step =
  /** Waits until the prompt, or a question in its place, is on the screen. */
  | { do: "await"; shown: "prompt" | "trust" | "permission" }
  /** Selects the row that trusts the folder, whichever is preselected, and confirms it. */
  | { do: "accept-trust" }
  | { do: "await-text"; text: string }
  /** Waits until the server has seen this type `times` times since the start. */
  | { do: "await-traffic"; type: Traffic["type"]; times: number }
  /** Waits until the tool makes no further attempt after a failure that the server sent. */
  | { do: "await-give-up" }
  /** Types the prompt of an exchange, or another text, key by key. */
  | { do: "type"; means: "draft" | "menu_open" | "exit"; text: string }
  /** Sends the text at once, as a bracketed paste. */
  | { do: "paste"; text: string }
  | { do: "keys"; means: Meaning; keys: readonly [string, ...string[]] }
  | { do: "pause"; ms: number }
  /** Waits until the TUI must have shown the end of a Turn, and a few seconds longer. */
  | { do: "settle" }
  | { do: "resize"; cols: number; rows: number }
  | { do: "await-exit" }
  /** Types the command that starts the tool at a shell's prompt. */
  | { do: "launch" }
  /** Waits until the shell has the terminal again. */
  | { do: "await-shell" }
  /** Sends SIGKILL. */
  | { do: "kill" };

/** For scenarios that every tool can perform. */
export const ALL_TOOLS: readonly Tool[] = ["claude", "codex", "gemini", "opencode"];

/** Returns whether the model calls any tool. */
export function callsTools({ exchanges }: Scenario): boolean {
  return exchanges.some(({ turns }) =>
    turns.some((turn) => turn.type === "stream" && turn.parts.some(({ type }) => type === "tool_use")),
  );
}

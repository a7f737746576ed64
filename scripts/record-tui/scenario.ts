import type { AssistantTurn, Traffic } from "../../test/support/model-server/index.ts";
import type { Tool } from "../install-tool.ts";
import type { Meaning } from "../../test/support/tui-recordings/index.ts";

/** The script of a recording: the model's answers, and a person's actions. */
export interface Scenario {
  name: string;
  /** The subject of the recording. */
  about: string;
  /** Default: Claude Code and Codex, for which every scenario was made. */
  tools?: readonly Tool[];
  /** The folder is one the tool does not trust yet. Default: it does. */
  asksForTrust?: boolean;
  /** Every tool call waits for permission. */
  asksForPermission?: boolean;
  /** The tool is started from a shell's prompt and leaves to it. Default: it has the terminal to itself. */
  isInShell?: boolean;
  /** Beside what every tool gets. */
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
  /** Until the prompt, or a question in its place, is on the screen. */
  | { do: "await"; shown: "prompt" | "trust" | "permission" }
  /** Selects the row that trusts the folder, whichever is preselected, and confirms it. */
  | { do: "accept-trust" }
  | { do: "await-text"; text: string }
  /** Until the server has seen so many of these since the start. */
  | { do: "await-traffic"; type: Traffic["type"]; times: number }
  /** Until the last failure that the server sent was not followed by another attempt. */
  | { do: "await-give-up" }
  /** The prompt of one exchange, or another text, key by key. */
  | { do: "type"; means: "draft" | "menu_open" | "exit"; text: string }
  /** The same at once, bracketed. */
  | { do: "paste"; text: string }
  | { do: "keys"; means: Meaning; keys: readonly [string, ...string[]] }
  | { do: "pause"; ms: number }
  /** As long as a Turn that is over needs to show it, and a few seconds more. */
  | { do: "settle" }
  | { do: "resize"; cols: number; rows: number }
  | { do: "await-exit" }
  /** The command that starts the tool, at a shell's prompt. */
  | { do: "launch" }
  /** Until the shell has the terminal again. */
  | { do: "await-shell" }
  /** SIGKILL. */
  | { do: "kill" };

/** For scenarios that every tool can perform. */
export const ALL_TOOLS: readonly Tool[] = ["claude", "codex", "gemini", "opencode"];

/** Whether the model asks for a tool at all. */
export function callsTools({ exchanges }: Scenario): boolean {
  return exchanges.some(({ turns }) =>
    turns.some((turn) => turn.type === "stream" && turn.parts.some(({ type }) => type === "tool_use")),
  );
}

import { type AssistantTurn, stream } from "../../test/support/model-server/index.ts";
import type { Exchange, Step } from "./scenario.ts";

// The steps that most scenarios consist of.

export const ask = (prompt: string, ...turns: Exchange["turns"]): Exchange => ({ prompt, turns });

export const START: Step = { do: "await", shown: "prompt" };
export const pause = (ms: number): Step => ({ do: "pause", ms });
export const draft = (text: string): Step[] => [
  pause(1_500),
  { do: "type", means: "draft", text },
  pause(600),
];
const SUBMIT: Step = { do: "keys", means: "submit", keys: ["Enter"] };
export const prompt = (text: string): Step[] => [...draft(text), SUBMIT];
export const REST: Step = { do: "settle" };
export const answered = (times: number): Step[] => [{ do: "await-traffic", type: "last-byte", times }, REST];
export const FIRST_BYTE: Step = { do: "await-traffic", type: "first-byte", times: 1 };
export const INTERRUPT: Step = { do: "keys", means: "interrupt", keys: ["Escape"] };

/** Returns the same key several times. */
export function keys(key: string, times: number): [string, ...string[]] {
  return [key, ...Array.from({ length: times - 1 }, () => key)];
}

export function callShell(command: string, more: Readonly<Record<string, unknown>> = {}): AssistantTurn {
  return stream({
    type: "tool_use",
    name: "Bash",
    input: { command, description: "Run the command", ...more },
  });
}

export const ESSAY = [
  "Queues decouple the parts of a system that produce work from those that do it.",
  "A producer does not wait for a consumer; it only waits when the queue is full, and that pressure is wanted.",
  "Bounded queues fail early and in one place. Unbounded ones fail late, everywhere, and for reasons nobody can name.",
  "Retries belong behind a queue, with a delay that grows and a limit that is written down.",
].join("\n\n");

/** Quotes every sign of work as plain text; none of it is real. */
export const QUOTES = [
  "The status row reads like this:",
  "    ✻ Pondering… (12s · ↓ 340 tokens · esc to interrupt)",
  "    • Working (3s • esc to interrupt)",
  "and after Esc the last line says `⎿  Interrupted · What should Claude do instead?`.",
  "An error looks like `API Error: 529 Overloaded` or `■ stream disconnected before completion`.",
  "The prompt itself is ❯ or › and a text.",
].join("\n");

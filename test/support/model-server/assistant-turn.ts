/** The scripted model's next move. */
export type AssistantTurn =
  | { type: "message"; blocks: readonly [AssistantBlock, ...AssistantBlock[]]; usage: TurnUsage }
  /** The same, streamed with pauses, so that a client shows it as it arrives. */
  | { type: "stream"; parts: readonly StreamPart[]; usage: TurnUsage }
  /** An API error, as the real service would answer it. */
  | { type: "error"; status: number; errorType: string; message: string }
  /** Accepts the request and never answers, so that the client has to give up. */
  | { type: "hang" };

export type AssistantBlock =
  | { type: "text"; text: string }
  | { type: "tool_use"; name: string; input: Record<string, unknown> };

export type StreamPart =
  /** A piece of `text`, or of the model's thinking, every `everyMs`. */
  | { type: "text" | "thinking"; text: string; everyMs: number }
  | { type: "tool_use"; name: string; input: Record<string, unknown> }
  | { type: "silence"; durationMs: number }
  /** The connection breaks; later parts are not sent. */
  | { type: "disconnect" };

export interface TurnUsage {
  inputTokens: number;
  outputTokens: number;
}

/** The usage of every scripted turn without usage of its own. */
export const TURN_USAGE: TurnUsage = { inputTokens: 100, outputTokens: 20 };

export function say(text: string): AssistantTurn {
  return { type: "message", blocks: [{ type: "text", text }], usage: TURN_USAGE };
}

export function callTool(name: string, input: Record<string, unknown>): AssistantTurn {
  return { type: "message", blocks: [{ type: "tool_use", name, input }], usage: TURN_USAGE };
}

export function stream(...parts: readonly StreamPart[]): AssistantTurn {
  return { type: "stream", parts, usage: TURN_USAGE };
}

export function failWith(status: number, errorType: string, message: string): AssistantTurn {
  return { type: "error", status, errorType, message };
}

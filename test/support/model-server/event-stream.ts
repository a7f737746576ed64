import type { AssistantBlock, AssistantTurn, TurnUsage } from "./assistant-turn.ts";

interface StreamEvent {
  type: string;
  [field: string]: unknown;
}

export type MessageTurn = Extract<AssistantTurn, { type: "message" }>;

/** Long texts are sent in pieces, so that a client that does not join them fails. */
const DELTA_CHARACTERS = 24;

/** A turn as the events of https://docs.anthropic.com/en/docs/build-with-claude/streaming; `serial` makes ids unique. */
export function eventsOf(turn: MessageTurn, model: string, serial: number): StreamEvent[] {
  const isToolUse = turn.blocks.some((block) => block.type === "tool_use");
  return [
    messageStart(turn.usage, model, serial),
    ...turn.blocks.flatMap((block, index) => blockEvents(block, index, `toolu_scripted_${serial}_${index}`)),
    ...messageEnd(turn.usage, isToolUse),
  ];
}

export function messageStart({ inputTokens }: TurnUsage, model: string, serial: number): StreamEvent {
  const usage = {
    input_tokens: inputTokens,
    output_tokens: 1,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const message = {
    id: `msg_scripted_${serial}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  return { type: "message_start", message };
}

export function messageEnd({ outputTokens }: TurnUsage, isToolUse: boolean): StreamEvent[] {
  const delta = { stop_reason: isToolUse ? "tool_use" : "end_turn", stop_sequence: null };
  return [{ type: "message_delta", delta, usage: { output_tokens: outputTokens } }, { type: "message_stop" }];
}

export function encodeEvents(events: readonly StreamEvent[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

function blockEvents(block: AssistantBlock, index: number, toolUseId: string): StreamEvent[] {
  const start =
    block.type === "text"
      ? { type: "text", text: "" }
      : { type: "tool_use", id: toolUseId, name: block.name, input: {} };
  const deltas =
    block.type === "text"
      ? pieces(block.text).map((text) => ({ type: "text_delta", text }))
      : pieces(JSON.stringify(block.input)).map((json) => ({ type: "input_json_delta", partial_json: json }));
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function pieces(text: string): string[] {
  return text.match(new RegExp(`.{1,${DELTA_CHARACTERS}}`, "gsu")) ?? [];
}

import type { StreamPart, TurnUsage } from "./assistant-turn.ts";
import { type PacedStep, piecesOf } from "./paced-events.ts";
import { type ShellItem, shellItem } from "./shell-item.ts";

export interface OfferedTools {
  /** The type of each tool by its name. */
  byName: ReadonlyMap<string, string>;
  /** Whether a call asks for permission before it runs. */
  asksFirst: boolean;
}

/** Returns a turn with pauses as the events of OpenAI's Responses API. A called tool must be among `tools`. */
export function pacedResponses(
  { parts, usage }: { parts: readonly StreamPart[]; usage: TurnUsage },
  tools: OfferedTools,
  serial: number,
): PacedStep[] {
  const response = { id: `resp_scripted_${serial}`, object: "response" };
  const tokens = {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
  return [
    send("response.created", { response: { ...response, status: "in_progress", output: [] } }),
    ...parts.flatMap((part, index) => partSteps(part, index, tools, `${serial}_${index}`)),
    send("response.completed", { response: { ...response, status: "completed", usage: tokens } }),
  ];
}

function partSteps(part: StreamPart, index: number, tools: OfferedTools, id: string): PacedStep[] {
  switch (part.type) {
    case "silence":
      return [{ type: "wait", durationMs: part.durationMs }];
    case "disconnect":
      return [{ type: "disconnect" }];
    case "text":
      return textSteps(part, index, `msg_scripted_${id}`);
    case "thinking":
      return thinkingSteps(part, index, `rs_scripted_${id}`);
    case "tool_use":
      return [
        ...itemSteps(shellItem(part.input, tools.byName, `call_scripted_${id}`, tools.asksFirst), index),
        { type: "tool-called", name: part.name },
      ];
    default:
      return part satisfies never;
  }
}

function textSteps(part: Extract<StreamPart, { text: string }>, index: number, id: string): PacedStep[] {
  const item = { type: "message", id, role: "assistant" };
  const at = { item_id: id, output_index: index, content_index: 0 };
  return [
    send("response.output_item.added", {
      output_index: index,
      item: { ...item, status: "in_progress", content: [] },
    }),
    send("response.content_part.added", { ...at, part: { type: "output_text", text: "", annotations: [] } }),
    ...piecesOf(part).flatMap(([delta, pause]) => [
      send("response.output_text.delta", { ...at, delta }),
      pause,
    ]),
    send("response.output_text.done", { ...at, text: part.text }),
    send("response.output_item.done", {
      output_index: index,
      item: {
        ...item,
        status: "completed",
        content: [{ type: "output_text", text: part.text, annotations: [] }],
      },
    }),
  ];
}

function thinkingSteps(part: Extract<StreamPart, { text: string }>, index: number, id: string): PacedStep[] {
  const item = { type: "reasoning", id };
  const at = { item_id: id, output_index: index, summary_index: 0 };
  return [
    send("response.output_item.added", { output_index: index, item: { ...item, summary: [] } }),
    send("response.reasoning_summary_part.added", { ...at, part: { type: "summary_text", text: "" } }),
    ...piecesOf(part).flatMap(([delta, pause]) => [
      send("response.reasoning_summary_text.delta", { ...at, delta }),
      pause,
    ]),
    send("response.output_item.done", {
      output_index: index,
      item: { ...item, summary: [{ type: "summary_text", text: part.text }] },
    }),
  ];
}

function itemSteps(item: ShellItem, index: number): PacedStep[] {
  return [
    send("response.output_item.added", { output_index: index, item: { ...item, status: "in_progress" } }),
    send("response.output_item.done", { output_index: index, item: { ...item, status: "completed" } }),
  ];
}

function send(type: string, body: object): PacedStep {
  return { type: "send", events: `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n` };
}

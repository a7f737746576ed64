import type { StreamPart, TurnUsage } from "./assistant-turn.ts";
import { encodeEvents, messageEnd, messageStart } from "./event-stream.ts";
import { type PacedStep, piecesOf } from "./paced-events.ts";

/** Returns a turn with pauses as the events of Anthropic's Messages API. */
export function pacedMessages(
  { parts, usage }: { parts: readonly StreamPart[]; usage: TurnUsage },
  model: string,
  serial: number,
): PacedStep[] {
  const hasTool = parts.some(({ type }) => type === "tool_use");
  return [
    send(messageStart(usage, model, serial)),
    ...parts.flatMap((part, at) => {
      const index = parts.slice(0, at).filter(isBlock).length;
      return partSteps(part, index, `toolu_scripted_${serial}_${index}`);
    }),
    send(...messageEnd(usage, hasTool)),
  ];
}

function isBlock({ type }: StreamPart): boolean {
  return type !== "silence" && type !== "disconnect";
}

function partSteps(part: StreamPart, index: number, toolUseId: string): PacedStep[] {
  switch (part.type) {
    case "silence":
      return [{ type: "wait", durationMs: part.durationMs }];
    case "disconnect":
      return [{ type: "disconnect" }];
    case "text":
      return blockSteps(
        index,
        { type: "text", text: "" },
        piecesOf(part).flatMap(([text, pause]) => [delta(index, { type: "text_delta", text }), pause]),
      );
    case "thinking":
      return blockSteps(index, { type: "thinking", thinking: "", signature: "" }, [
        ...piecesOf(part).flatMap(([thinking, pause]) => [
          delta(index, { type: "thinking_delta", thinking }),
          pause,
        ]),
        delta(index, { type: "signature_delta", signature: "c2NyaXB0ZWQ=" }),
      ]);
    case "tool_use": {
      const block = { type: "tool_use", id: toolUseId, name: part.name, input: {} };
      const json = delta(index, { type: "input_json_delta", partial_json: JSON.stringify(part.input) });
      return [...blockSteps(index, block, [json]), { type: "tool-called", name: part.name }];
    }
    default:
      return part satisfies never;
  }
}

function blockSteps(index: number, content_block: object, inside: readonly PacedStep[]): PacedStep[] {
  const start = send({ type: "content_block_start", index, content_block });
  return [start, ...inside, send({ type: "content_block_stop", index })];
}

function delta(index: number, change: object): PacedStep {
  return send({ type: "content_block_delta", index, delta: change });
}

function send(...events: Parameters<typeof encodeEvents>[0]): PacedStep {
  return { type: "send", events: encodeEvents(events) };
}

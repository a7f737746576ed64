import type { StreamPart, TurnUsage } from "./assistant-turn.ts";
import { type PacedStep, piecesOf } from "./paced-events.ts";

/** The function by which Gemini CLI runs shell commands. */
export const SHELL_FUNCTION = "run_shell_command";

/** Returns a turn with pauses as the events of Google's Gemini API. */
export function pacedGeneration({
  parts,
  usage,
}: {
  parts: readonly StreamPart[];
  usage: TurnUsage;
}): PacedStep[] {
  return [
    ...parts.flatMap(partSteps),
    send([], {
      finishReason: "STOP",
      usageMetadata: {
        promptTokenCount: usage.inputTokens,
        candidatesTokenCount: usage.outputTokens,
        totalTokenCount: usage.inputTokens + usage.outputTokens,
      },
    }),
  ];
}

function partSteps(part: StreamPart): PacedStep[] {
  switch (part.type) {
    case "silence":
      return [{ type: "wait", durationMs: part.durationMs }];
    case "disconnect":
      return [{ type: "disconnect" }];
    case "text":
      return piecesOf(part).flatMap(([text, pause]) => [send([{ text }]), pause]);
    case "thinking":
      return piecesOf(part).flatMap(([text, pause]) => [send([{ text, thought: true }]), pause]);
    case "tool_use":
      return [
        send([{ functionCall: { name: SHELL_FUNCTION, args: part.input } }]),
        { type: "tool-called", name: SHELL_FUNCTION },
      ];
    default:
      return part satisfies never;
  }
}

interface Ending {
  finishReason?: string;
  usageMetadata?: object;
}

function send(parts: readonly object[], { finishReason, usageMetadata }: Ending = {}): PacedStep {
  const content = { role: "model", parts: parts.length === 0 ? [{ text: "" }] : parts };
  const candidate = { index: 0, content, ...(finishReason !== undefined && { finishReason }) };
  const body = { candidates: [candidate], ...(usageMetadata !== undefined && { usageMetadata }) };
  return { type: "send", events: `data: ${JSON.stringify(body)}\n\n` };
}

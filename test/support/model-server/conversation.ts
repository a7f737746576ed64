import type { MessagesRequest } from "./messages-request.ts";

/** The conversation as the model sees it so far; a script decides the next turn from it. */
export interface Conversation {
  model: string;
  /** Names of the tools offered. Claude Code's side requests (titles, topics) offer none. */
  tools: readonly string[];
  /** Text of the system prompt and of the messages under the system role. */
  systemText: string;
  /** The text of the user's messages, without tool results. */
  userText: string;
  /** Every answered tool call, oldest first. */
  toolResults: readonly ToolResult[];
}

export interface ToolResult {
  name: string;
  input: Readonly<Record<string, unknown>>;
  text: string;
  isError: boolean;
}

export function readConversation(request: MessagesRequest): Conversation {
  const calls = new Map<string, { name: string; input: Record<string, unknown> }>();
  const toolResults: ToolResult[] = [];
  const userText: string[] = [];
  const systemText: string[] = [textOf(request.system)];
  for (const message of request.messages) {
    if (message.role === "system") systemText.push(textOf(message.content));
    else if (typeof message.content === "string") {
      if (message.role === "user") userText.push(message.content);
    } else {
      for (const block of message.content) {
        if (block.type === "tool_use") calls.set(block.id, block);
        else if (block.type === "tool_result") {
          const call = calls.get(block.tool_use_id) ?? { name: "", input: {} };
          const isError = block.is_error ?? false;
          toolResults.push({ name: call.name, input: call.input, text: textOf(block.content), isError });
        } else if (block.type === "text" && message.role === "user") userText.push(block.text);
      }
    }
  }
  return {
    model: request.model,
    tools: (request.tools ?? []).map((tool) => tool.name),
    systemText: systemText.join("\n"),
    userText: userText.join("\n"),
    toolResults,
  };
}

function textOf(content: string | readonly { type: string; text?: unknown }[] | undefined): string {
  if (content === undefined || typeof content === "string") return content ?? "";
  return content.map((block) => (typeof block.text === "string" ? block.text : `[${block.type}]`)).join("\n");
}

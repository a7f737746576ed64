import { z } from "zod";

// The part of Anthropic's Messages API that Claude Code sends (https://docs.anthropic.com/en/api/messages). Objects are
// strict where the scripted server reads them, so that a new shape is a visible 400 and not a silently ignored field.

const cacheControl = z.looseObject({ type: z.literal("ephemeral") });
const text = z.strictObject({
  type: z.literal("text"),
  text: z.string(),
  cache_control: cacheControl.optional(),
});
const image = z.looseObject({ type: z.literal("image") });
const thinking = z.looseObject({ type: z.literal("thinking"), thinking: z.string() });
const toolUse = z.strictObject({
  type: z.literal("tool_use"),
  id: z.string().min(1),
  name: z.string().min(1),
  input: z.record(z.string(), z.unknown()),
  caller: z.looseObject({ type: z.string() }).optional(),
  cache_control: cacheControl.optional(),
});
const toolResult = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string().min(1),
  content: z.union([z.string(), z.array(z.discriminatedUnion("type", [text, image]))]).optional(),
  is_error: z.boolean().optional(),
  cache_control: cacheControl.optional(),
});

/** Newer versions also set it for single messages. */
const outputConfig = { output_config: z.unknown().optional() };

const userMessage = z.strictObject({
  ...outputConfig,
  role: z.literal("user"),
  content: z.union([z.string(), z.array(z.discriminatedUnion("type", [text, image, toolResult])).min(1)]),
});
const assistantMessage = z.strictObject({
  ...outputConfig,
  role: z.literal("assistant"),
  content: z.union([z.string(), z.array(z.discriminatedUnion("type", [text, thinking, toolUse])).min(1)]),
});
/** Claude Code 2.1 inserts reminders between the turns under this role, even after the user's last message. */
const systemMessage = z.strictObject({
  ...outputConfig,
  role: z.literal("system"),
  content: z.union([z.string(), z.array(text)]),
});

const tool = z.looseObject({ name: z.string().min(1), input_schema: z.looseObject({}).optional() });

const common = {
  model: z.string().min(1),
  messages: z.array(z.discriminatedUnion("role", [userMessage, assistantMessage, systemMessage])).min(1),
  system: z.union([z.string(), z.array(text)]).optional(),
  tools: z.array(tool).optional(),
  tool_choice: z.looseObject({ type: z.string() }).optional(),
  thinking: z.looseObject({ type: z.string() }).optional(),
  context_management: z.unknown().optional(),
  output_config: z.unknown().optional(),
  safeguards: z.unknown().optional(),
};

export const messagesRequest = z.strictObject({
  ...common,
  max_tokens: z.int().positive(),
  stream: z.boolean().optional(),
  metadata: z.looseObject({}).optional(),
  temperature: z.number().optional(),
  stop_sequences: z.array(z.string()).optional(),
});
export type MessagesRequest = z.infer<typeof messagesRequest>;

export const countTokensRequest = z.strictObject(common);

/**
 * Checks the API's rules between messages: every tool result answers an earlier call, and every call is answered. Returns the
 * first violation, or null.
 */
export function findConversationFault({ messages, tools = [] }: MessagesRequest): string | null {
  const open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (typeof message.content === "string") continue;
    for (const block of message.content) {
      if (block.type === "tool_use") open.add(block.id);
      if (block.type === "tool_result" && !open.delete(block.tool_use_id))
        return `messages.${index}: tool_result ${block.tool_use_id} answers no tool_use before it`;
    }
    if (message.role === "user" && open.size > 0)
      return `messages.${index}: tool_use ids without tool_result: ${[...open].join(", ")}`;
  }
  // Older versions prefill the answers to their own small requests; those have no tools.
  const isBegun = messages.at(-1)?.role === "assistant" && tools.length > 0;
  return isBegun ? "the last message is the assistant's" : null;
}

import { z } from "zod";

// The part of OpenAI's Responses API that Codex sends (https://platform.openai.com/docs/api-reference/responses) and the
// scripted model reads. It is loose, because Codex sends many further fields.

const content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]);
const tool = z.looseObject({ type: z.string(), name: z.string().optional() });
const toolGroup = tool.extend({ tools: z.array(tool).optional() });
const item = z.looseObject({
  type: z.string().default("message"),
  role: z.string().optional(),
  content: content.optional(),
  tools: z.array(toolGroup).optional(),
  /** The text of a tool call's output. */
  output: z.unknown().optional(),
});

export const responsesRequest = z.looseObject({
  model: z.string().min(1),
  stream: z.literal(true),
  input: z.array(item).min(1),
  tools: z.array(toolGroup).optional(),
});
export type ResponsesRequest = z.infer<typeof responsesRequest>;

/** Returns the texts of the user's messages, oldest first. Codex inserts its own between them. */
export function userTexts({ input }: ResponsesRequest): string[] {
  return input
    .filter(({ type, role }) => type === "message" && role === "user")
    .map(({ content: given }) => {
      if (given === undefined || typeof given === "string") return given ?? "";
      return given.map(({ text }) => text ?? "").join("");
    });
}

/** Returns the types of the offered tools by name; newer versions send their tools inside the input. */
export function offeredTools({ tools = [], input }: ResponsesRequest): ReadonlyMap<string, string> {
  const groups = input
    .map((one) => one.tools ?? [])
    .concat([tools])
    .flat();
  const all = groups.concat(groups.flatMap((group) => group.tools ?? []));
  return new Map(all.flatMap(({ type, name }) => (name === undefined ? [] : [[name, type]])));
}

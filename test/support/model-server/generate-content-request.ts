import { z } from "zod";

// The part of Google's Gemini API that Gemini CLI sends (https://ai.google.dev/api/generate-content) and the scripted model
// reads. It is loose, because Gemini CLI sends many further fields.

const part = z.looseObject({ text: z.string().optional(), functionResponse: z.looseObject({}).optional() });
const content = z.looseObject({ role: z.string().optional(), parts: z.array(part) });
const tool = z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).optional() });

export const generateContentRequest = z.looseObject({
  contents: z.array(content).min(1),
  tools: z.array(tool).optional(),
});
export type GenerateContentRequest = z.infer<typeof generateContentRequest>;

/** Returns the texts of the user's messages, oldest first. Gemini CLI inserts its own between them. */
export function saidTexts({ contents }: GenerateContentRequest): string[] {
  return contents
    .filter(({ role }) => role === "user")
    .flatMap(({ parts }) => parts.flatMap(({ text }) => text ?? []));
}

export function offeredFunctions({ tools = [] }: GenerateContentRequest): ReadonlySet<string> {
  return new Set(
    tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
  );
}

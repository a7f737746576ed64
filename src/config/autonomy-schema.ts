import { z } from "zod";

const autonomySettings = ["off", "shadow", "suggest", "apply", "earned"] as const;

const autonomyFor = (kind: string) =>
  z
    .enum(autonomySettings)
    .optional()
    .meta({
      description: `What becomes of the outcome \`${kind}\`: \`off\` nothing, \`shadow\` only a record, \`suggest\` a proposal that people answer, \`apply\` all, \`earned\` what the record of past outcomes allows.`,
    });

/** E4. */
export const autonomySchema = z.strictObject({
  "needs-triage": autonomyFor("needs-triage"),
  "needs-info": autonomyFor("needs-info"),
  "ready-for-agent": autonomyFor("ready-for-agent"),
  "ready-for-human": autonomyFor("ready-for-human"),
  close: z.enum(autonomySettings).optional().meta({
    description: "The same for everything that closes an issue.",
  }),
});

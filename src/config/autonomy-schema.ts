import { z } from "zod";
import { setting } from "./setting.ts";

const autonomySettings = ["off", "shadow", "suggest", "apply", "earned"] as const;

const autonomy = (meaning: string) =>
  setting(z.enum(autonomySettings), { meaning, owner: "repository", fallback: "apply" });

const autonomyFor = (kind: string) =>
  autonomy(
    `What becomes of the outcome \`${kind}\`: \`off\` nothing, \`shadow\` only a record, \`suggest\` a proposal that people answer, \`apply\` all, \`earned\` what the record of past outcomes allows.`,
  );

/** How much of each kind of outcome is applied (E4). */
export const autonomySchema = z.strictObject({
  "needs-triage": autonomyFor("needs-triage"),
  "needs-info": autonomyFor("needs-info"),
  "ready-for-agent": autonomyFor("ready-for-agent"),
  "ready-for-human": autonomyFor("ready-for-human"),
  close: autonomy("The same for everything that closes an issue."),
});

import type { Attack } from "../attack.ts";
import { endlessReproductions, exhaustion, outcomeFile, outcomeSchema } from "./outcome-schema.ts";
import { hiddenText, instructions, metacharacters, securityReports } from "./issue-text.ts";
import { publishedText } from "./published-text.ts";
import { canaries, tokenShapes } from "./secrets.ts";

export const attacks: readonly Attack[] = [
  ...instructions,
  ...hiddenText,
  ...metacharacters,
  ...publishedText,
  ...outcomeSchema,
  ...outcomeFile,
  ...exhaustion,
  ...endlessReproductions,
  ...canaries,
  ...securityReports,
  ...tokenShapes,
];

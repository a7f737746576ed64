import type { Attack } from "../attack.ts";
import { endlessReproductions, exhaustion, outcomeFile, outcomeSchema } from "./outcome-schema.ts";
import { hiddenText, instructions, metacharacters, securityReports } from "./issue-text.ts";
import { squatters } from "./squatters.ts";
import { changes, floods, markers, quotes } from "./people.ts";
import { publishedText } from "./published-text.ts";
import { checkouts, terminals } from "./terminal.ts";
import { canaries, tokenShapes } from "./secrets.ts";

export const attacks: readonly Attack[] = [
  ...instructions,
  ...hiddenText,
  ...metacharacters,
  ...markers,
  ...quotes,
  ...publishedText,
  ...outcomeSchema,
  ...outcomeFile,
  ...terminals,
  ...exhaustion,
  ...endlessReproductions,
  ...checkouts,
  ...squatters,
  ...changes,
  ...floods,
  ...canaries,
  ...securityReports,
  ...tokenShapes,
];

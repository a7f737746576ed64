import type { Attack } from "../attack.ts";
import { forgedScripts } from "./forged-scripts.ts";
import { further } from "./further.ts";
import { endlessReproductions, exhaustion, outcomeFile, outcomeSchema } from "./outcome-schema.ts";
import { hiddenText, instructions, metacharacters } from "./issue-text.ts";
import { securityReports } from "./security-reports.ts";
import { places } from "./places.ts";
import { squatters } from "./squatters.ts";
import { changes, floods, markers, quotes } from "./people.ts";
import { publishedText } from "./published-text.ts";
import { forgedEnds, poisonedCheckouts, poisonedRuns, printedEvidence, searches } from "./surroundings.ts";
import { checkouts, terminals } from "./terminal.ts";
import { anyVariable, canaries } from "./secrets.ts";
import { plainFields, terminalControls } from "./plain-fields.ts";
import { tokenPlaces, tokenShapes } from "./tokens.ts";

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
  ...poisonedCheckouts,
  ...poisonedRuns,
  ...printedEvidence,
  ...forgedEnds,
  ...searches,
  ...squatters,
  ...places,
  ...forgedScripts,
  ...changes,
  ...floods,
  ...canaries,
  ...anyVariable,
  ...plainFields,
  ...terminalControls,
  ...securityReports,
  ...tokenShapes,
  ...tokenPlaces,
  ...further,
];

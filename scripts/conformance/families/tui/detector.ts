import { z } from "zod";
import { ansiScreen } from "../../../../test/support/tui-recordings/index.ts";
import { type CaseReport, notExpressible } from "../../case-report.ts";
import { recognisedFamily } from "../../family.ts";
import { signalFields } from "../../tracking/observed-fields.ts";
import { openDetector, toolOf } from "../../tracking/open-tracker.ts";
import { compareFields } from "./expected-fields.ts";

const caseSchema = z.strictObject({
  id: z.string(),
  app: z.string(),
  /** A range, e.g. `2.1.x`, or `fallback`. */
  profile_version: z.string(),
  screen: z.string(),
  asserted: z.record(z.string(), z.unknown()).default({}),
  observed: z.record(z.string(), z.unknown()).default({}),
});
type DetectorCase = z.infer<typeof caseSchema>;

/** Each case is one screen and the signals that the detector reads from it. */
export const tuiDetector = recognisedFamily(
  /^houmao_detector_cases\.jsonl$/,
  z.array(caseSchema).min(1),
  (cases) => cases.flatMap(checkCase),
);

function checkCase({
  id,
  app,
  profile_version: profile,
  screen,
  asserted,
  observed,
}: DetectorCase): CaseReport[] {
  const tool = toolOf(app);
  if (tool === null) return [notExpressible(id, `another tool: ${app}`)];
  const version = profile === "fallback" ? null : profile.replace("x", "0");
  const seen = signalFields(openDetector(tool, version).detect(ansiScreen(screen), 0));
  const rest = Object.fromEntries(
    Object.entries(observed).filter(([field]) => !(field in asserted) && field in seen),
  );
  const name = `${id} (${app} ${profile})`;
  return [...compareFields(name, "asserted", asserted, seen), ...compareFields(name, "observed", rest, seen)];
}

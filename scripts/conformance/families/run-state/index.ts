import { z } from "zod";
import { parseDuration } from "../../../../src/notation/index.ts";
import { type CaseReport, compare, notCoveredSections } from "../../case-report.ts";
import { recognisedFamily } from "../../family.ts";
import { checkDefaults } from "./defaults.ts";
import { checkMonitor, monitorCaseSchema } from "./monitor-cases.ts";
import { checkRun, runStateCaseSchema } from "./run-cases.ts";
import { checkTrustMarkers } from "./trust-markers.ts";

const schema = z.looseObject({
  defaults: z.record(z.string(), z.number()),
  run_state: z.array(runStateCaseSchema),
  duration_parse: z.array(z.tuple([z.string(), z.number().nullable()])),
  monitor_sequences: z.array(monitorCaseSchema),
  trust_prompt_markers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
});

export const runState = recognisedFamily(/^clisbot_run_state_cases\.json$/, schema, async (content) => {
  const runs: CaseReport[] = [];
  for (const one of content.run_state) runs.push(...(await checkRun(one)));
  return [
    ...(await checkDefaults(content.defaults)),
    ...runs,
    ...content.duration_parse.map(([text, durationMs]) =>
      compare(`duration ${JSON.stringify(text)}`, durationMs, parseDuration(text)),
    ),
    ...content.monitor_sequences.map(checkMonitor),
    ...checkTrustMarkers(content.trust_prompt_markers),
    ...notCoveredSections(content, Object.keys(schema.shape), "unknown section"),
  ];
});

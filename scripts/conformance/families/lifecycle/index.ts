import { z } from "zod";
import { followDefaults } from "../../../../src/store/index.ts";
import { type CaseReport, compare, notCoveredSections, notExpressible, observed } from "../../case-report.ts";
import { recognisedFamily } from "../../family.ts";
import { checkBatchCase } from "./batch-cases.ts";
import { checkChangeLogCase } from "./change-log-cases.ts";
import { checkFactsCase, checkWindow } from "./facts-cases.ts";
import { type LifecycleCase, lifecycleCaseSchema } from "./lifecycle-case.ts";
import { checkServiceCase } from "./service-cases.ts";

const schema = z.looseObject({
  recent_activity_window_s: z.number(),
  reaper_tick_s: z.number(),
  cdc_poll_ms: z.number(),
  cdc_batch: z.number(),
  cases: z.array(lifecycleCaseSchema),
});

export const lifecycle = recognisedFamily(/^ao_lifecycle_cases\.json$/, schema, async (content) => {
  const reports: CaseReport[] = [];
  for (const one of content.cases) {
    const found = await checkCase(one);
    reports.push(...found.map((report) => (one.v === "later" ? observed(report) : report)));
  }
  const { intervalMs, batchSize } = followDefaults;
  return [
    ...reports,
    checkWindow(content.recent_activity_window_s),
    notExpressible(
      "reaper_tick_s",
      "liveness is asked for when the monitor reports a silence, not at a tick",
    ),
    compare("cdc_poll_ms", content.cdc_poll_ms, intervalMs),
    compare("cdc_batch", content.cdc_batch, batchSize),
    ...notCoveredSections(content, Object.keys(schema.shape), "unknown section"),
  ];
});

/** Checks a case against the part of the project that it is about; cases about teardown run a batch. */
async function checkCase(one: LifecycleCase): Promise<CaseReport[]> {
  const found =
    checkFactsCase(one) ??
    (await checkServiceCase(one)) ??
    (await checkChangeLogCase(one)) ??
    (await checkBatchCase(one));
  return found ?? [notExpressible(one.id, `no event of the project is ${JSON.stringify(one.event)}`)];
}

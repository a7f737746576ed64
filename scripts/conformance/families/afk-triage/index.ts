import { parseTrustedAuthors, parseMarker } from "../../../../src/github/index.ts";
import { z } from "zod";
import { type CaseReport, compare, notCoveredSections, notExpressible } from "../../case-report.ts";
import { family } from "../../family.ts";
import { checkCandidates } from "./candidates.ts";
import { checkEligibility, eligibilitySchema } from "./eligibility.ts";
import { checkNames, namesSchema } from "./names.ts";
import { checkParallelism, parallelismSchema } from "./parallelism.ts";

const markerCase = z.object({
  in: z.string(),
  out: z.object({ issue: z.number(), outcome: z.string(), run: z.string() }).nullable(),
});
const schema = z.looseObject({
  names: namesSchema,
  parallelism: parallelismSchema,
  outcomes: z.array(z.string()),
  marker_parse: z.array(markerCase),
  eligibility: z.array(eligibilitySchema),
  trusted_authors_env: z.array(z.tuple([z.string().nullable(), z.array(z.string()).nullable()])),
  candidates: z.array(z.string()),
  lock_error: z.unknown().optional(),
});

const LOCK =
  "a taken name is told by the status of the deployment's HTTP answer, not by a line of the coder CLI";

export const afkTriage = family(/^agent_tty_afk_triage_cases\.json$/, schema, (content) => [
  ...checkNames(content.names, content.outcomes),
  ...checkParallelism(content.parallelism),
  ...content.marker_parse.map(checkMarker),
  ...content.eligibility.map(checkEligibility),
  ...content.trusted_authors_env.map(([text, authors]) =>
    compare(`trusted authors ${JSON.stringify(text)}`, authors, parseTrustedAuthors(text ?? undefined)),
  ),
  ...content.candidates.map(checkCandidates),
  ...(content.lock_error === undefined ? [] : [notExpressible("lock_error", LOCK)]),
  ...notCoveredSections(
    content,
    Object.keys(schema.shape),
    "it takes a whole Triage Batch, whose summary and signals our contract words differently",
  ),
]);

function checkMarker({ in: body, out }: z.infer<typeof markerCase>, index: number): CaseReport {
  const parsed = parseMarker(body);
  const seen = parsed === null ? null : { issue: parsed.issue, outcome: parsed.outcome, run: parsed.run };
  return compare(`marker ${index + 1}`, out, seen);
}

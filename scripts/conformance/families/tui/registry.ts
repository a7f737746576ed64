import { z } from "zod";
import { type DetectorProfile, parseVersion, resolveProfile } from "../../../../src/tui/index.ts";
import { type CaseReport, compare, notExpressible, observed } from "../../case-report.ts";
import { recognisedFamily } from "../../family.ts";
import { toolOf } from "../../tracking/open-tracker.ts";
import { scriptedProfile } from "./scripted-profile.ts";

const registrations = z.record(
  z.string(),
  z.array(z.tuple([z.string(), z.string().nullable(), z.string().nullable()])),
);
const seedCase = z.object({
  app: z.string(),
  observed_version: z.string().nullable(),
  expected: z.string(),
  expected_app: z.string().optional(),
});
const originCase = z.object({
  app: z.string(),
  observed_version: z.string().nullable(),
  override: z.string().nullable(),
  expected: z.union([z.string(), z.object({ profile_version: z.string() })]),
});
const schema = z.object({
  registrations_origin_head: registrations,
  registrations_at_seed_time: registrations,
  seed_rule_cases: z.array(seedCase),
  origin_head_cases: z.array(originCase),
});
type Tools = Record<string, readonly DetectorProfile[]>;

/**
 * Cases of the choice of a profile for a version, with the cases' own registrations. The origin's later rule gives ranges an
 * upper bound; ours extrapolates.
 */
export const tuiRegistry = recognisedFamily(/^houmao_registry_cases\.json$/, schema, (content) => {
  const atSeedTime = toolsOf(content.registrations_at_seed_time);
  const atHead = toolsOf(content.registrations_origin_head);
  return [
    ...content.seed_rule_cases.map((one) => checkSeed(one, atSeedTime)),
    ...content.origin_head_cases.map((one) => checkOrigin(one, atHead)),
  ];
});

function checkSeed(
  { app, observed_version: version, expected, expected_app }: z.infer<typeof seedCase>,
  tools: Tools,
): CaseReport {
  const { profile } = resolveProfile({ tool: toolOf(app) ?? app, observedVersion: version }, tools);
  const id = `${app} ${version}`;
  if (expected_app === undefined) return compare(id, expected, profile.name);
  return compare(id, { app: expected_app }, { app: profile.family });
}

function checkOrigin(
  { app, observed_version: version, override, expected }: z.infer<typeof originCase>,
  tools: Tools,
): CaseReport {
  const id = `${app} ${version}${override === null ? "" : ` as ${override}`} (origin's later rule)`;
  const tool = toolOf(app);
  if (tool === null) return notExpressible(id, `another tool: ${app}`);
  const request = { tool, observedVersion: version, ...(override === null ? {} : { profile: override }) };
  const name = typeof expected === "string" ? expected : expected.profile_version;
  return observed(compare(id, name, resolveProfile(request, tools).profile.name));
}

function toolsOf(given: z.infer<typeof registrations>): Tools {
  return Object.fromEntries(
    Object.entries(given).map(([app, profiles]) => [
      toolOf(app) ?? app,
      profiles.map(([name, floor, below]) => ({
        ...scriptedProfile(() => {
          throw new Error("a registration has no screens");
        }),
        family: app,
        name,
        floor: parseVersion(floor),
        testedBelow: parseVersion(below),
      })),
    ]),
  );
}

import { systemClock, systemIds } from "agent-tty/kit";
import { expect, test } from "vitest";
import { createCoderQuestions } from "../../src/workspaces/index.ts";
import { LEASE_PARAMETERS, never, startCoderStandIn, type TemplateSpec } from "../support/coder/index.ts";

const HOUR_MS = 3_600_000;
const ON = { failureMs: HOUR_MS, dormantMs: 24 * HOUR_MS, autodeleteMs: 24 * HOUR_MS };

/** The warnings of doctor's question about the template. */
async function warningsOf(spec: Partial<TemplateSpec>, isPremium: boolean): Promise<string[]> {
  await using standIn = await startCoderStandIn({
    templates: [{ name: "triage", parameters: LEASE_PARAMETERS, allowUserCancel: true, ...spec }],
  });
  standIn.faults.isPremium = isPremium;
  const questions = createCoderQuestions({
    url: standIn.url,
    token: standIn.token,
    binary: standIn.binary,
    cliDirectory: "/tmp",
    template: "triage",
    preset: "none",
    parameters: {},
    organization: null,
    runDeadlineMs: 60_000,
    clock: systemClock,
    ids: systemIds(systemClock),
  });
  return await questions.template(never);
}

test.each<[string, Partial<TemplateSpec>, RegExp[]]>([
  ["everything", { schedule: ON }, []],
  [
    "nothing",
    { allowUserCancel: false },
    [/--allow-user-cancel/, /--failure-ttl 1h/, /--dormancy-threshold 24h/, /--dormancy-auto-deletion 24h/],
  ],
  ["no failure clean-up", { schedule: { ...ON, failureMs: 0 } }, [/--failure-ttl 1h.*edit triage/]],
  ["no automatic deletion", { schedule: { ...ON, autodeleteMs: 0 } }, [/--dormancy-auto-deletion 24h/]],
])("doctor names each setting of a Premium template that sets %s", async (_, spec, expected) => {
  const warnings = await warningsOf(spec, true);
  expect(warnings).toEqual(expected.map((says) => expect.stringMatching(says) as string));
});

test("doctor asks for no setting that the licence does not have", async () => {
  expect(await warningsOf({}, false)).toEqual([]);
});

import { systemClock, systemIds } from "agent-tty/kit";
import { expect, test } from "vitest";
import { type CoderQuestions, createCoderQuestions } from "../../src/workspaces/index.ts";
import {
  type CoderStandIn,
  LEASE_PARAMETERS,
  never,
  startCoderStandIn,
  type TemplateSpec,
} from "../support/coder/index.ts";

const HOUR_MS = 3_600_000;
const ON = { failureMs: HOUR_MS, dormantMs: 24 * HOUR_MS, autodeleteMs: 24 * HOUR_MS };

/** Returns the warnings of doctor's check of the template. */
const warningsOf = (
  spec: Partial<TemplateSpec>,
  isPremium: boolean,
  prepare: (standIn: CoderStandIn) => void = () => undefined,
): Promise<string[]> =>
  asked(
    spec,
    (standIn) => {
      standIn.faults.isPremium = isPremium;
      prepare(standIn);
    },
    (questions) => questions.template(never),
  );

async function asked<Answer>(
  spec: Partial<TemplateSpec>,
  prepare: (standIn: CoderStandIn) => void,
  ask: (questions: CoderQuestions) => Promise<Answer>,
): Promise<Answer> {
  await using standIn = await startCoderStandIn({
    templates: [{ name: "triage", parameters: LEASE_PARAMETERS, allowUserCancel: true, ...spec }],
  });
  prepare(standIn);
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
  return await ask(questions);
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

test("doctor does not warn about a setting that the licence does not include", async () => {
  expect(await warningsOf({}, false)).toEqual([]);
});

test("doctor reads the credits of the Coder user, and returns none if the deployment has no quotas", async () => {
  const quotaOf = (quota: CoderStandIn["faults"]["quota"]) =>
    asked(
      {},
      (standIn) => void (standIn.faults.quota = quota),
      (questions) => questions.quota(never),
    );
  expect(await quotaOf({ credits_consumed: 3, budget: 10 })).toEqual({ consumed: 3, budget: 10 });
  expect(await quotaOf({ credits_consumed: 3, budget: -1 })).toEqual({ consumed: 3, budget: null });
  expect(await quotaOf(null)).toBeNull();
});

const notification = (name: string, disabled: boolean | null, isDefault = true) => ({
  id: `id of ${name}`,
  name,
  disabled,
  isDefault,
});

test("doctor names each notification of its Coder user that is on, by choice or by default", async () => {
  const warnings = await warningsOf({ schedule: ON }, true, ({ state }) =>
    state.notifications.push(
      notification("Workspace Deleted", null),
      notification("Workspace Created", true),
      notification("Workspace Autobuild Failed", false, false),
      notification("Chat Auto-Archived", null, false),
    ),
  );
  expect(warnings).toEqual([
    expect.stringMatching(/Coder user triage-bot.*: Workspace Deleted, Workspace Autobuild Failed\. /),
  ]);
});

test("doctor does not warn about notifications if all are off or the deployment does not report them", async () => {
  const off = await warningsOf({ schedule: ON }, true, ({ state }) =>
    state.notifications.push(notification("Workspace Deleted", true)),
  );
  expect(off).toEqual([]);
  const silent = await warningsOf({ schedule: ON }, true, ({ state, faults }) => {
    state.notifications.push(notification("Workspace Deleted", null));
    const answer = { status: 404, body: { message: "Route not found." } };
    faults.answers.push({ method: "GET", path: /notifications/, times: 2, effect: "before", answer });
  });
  expect(silent).toEqual([]);
});

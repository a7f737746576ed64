import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import {
  connect,
  created,
  deployment,
  failureOf,
  LEASE,
  LEASE_PARAMETERS,
  never,
  pushVersion,
  request,
} from "../support/coder/index.ts";

const CREATE = "POST /users/me/workspaces";

test("create sends the name, the lease, the preset and a whole-minute ttl, and never updates (T3, A29)", async () => {
  await using subject = await deployment(
    {
      templates: [
        {
          name: "triage",
          parameters: [...LEASE_PARAMETERS, { name: "region", options: ["eu", "us"] }],
          presets: [{ name: "small" }, { name: "standard", isDefault: true }],
        },
      ],
    },
    { preset: null, parameters: { region: "us" }, ref: "main", runDeadlineMs: 90_500 },
  );
  const { name } = await created(subject.provider);
  const [template] = subject.standIn.state.templates;
  expect(subject.standIn.requests.find(({ line }) => line === CREATE)?.body).toEqual({
    name,
    template_version_id: template?.versionId,
    template_version_preset_id: template?.presets[1]?.id,
    ttl_ms: 17 * 60_000,
    automatic_updates: "never",
    rich_parameter_values: [
      { name: "run_id", value: LEASE.runId },
      { name: "issue_number", value: "142" },
      { name: "repo_url", value: "https://github.com/octo/product.git" },
      { name: "ref", value: "main" },
      { name: "afk_parent", value: LEASE.parent },
      { name: "afk_lease_seconds", value: "1891" },
      { name: "region", value: "us" },
    ],
  });
});

test("create uses a version of the template that is pushed later, at the latest after five minutes (F1, F7)", async () => {
  let laterMs = 0;
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + laterMs };
  await using subject = await deployment({}, { clock });
  const { standIn, provider } = subject;
  await provider.preflight(never);
  await created(provider, request("product-triage-1"));
  pushVersion(standIn, LEASE_PARAMETERS);
  laterMs = 6 * 60_000;
  await created(provider, request("product-triage-2"));
  const sent = standIn.requests.filter(({ line }) => line === CREATE).map(({ body }) => body);
  expect(sent[1]).toMatchObject({ template_version_id: standIn.state.templates[0]?.versionId });
});

test("a create that is refused because another version is active by now is repeated with that version (F1, F7)", async () => {
  await using subject = await deployment();
  const { standIn, provider } = subject;
  await provider.preflight(never);
  const refuse = () =>
    standIn.faults.answers.push({
      method: "POST",
      path: /^\/users\/me\/workspaces$/,
      times: 1,
      effect: "before",
      answer: { status: 403, body: { message: "you cannot use a non-active version" } },
    });
  refuse();
  expect(await failureOf(created(provider))).toMatchObject({ code: "CODER_FORBIDDEN" });
  refuse();
  pushVersion(standIn, LEASE_PARAMETERS);
  await created(provider);
  const sent = standIn.requests.filter(({ line }) => line === CREATE).map(({ body }) => body);
  expect(sent).toHaveLength(3);
  expect(sent[2]).toMatchObject({ template_version_id: standIn.state.templates[0]?.versionId });
});

test("create sends only the lease parameters that the template has", async () => {
  await using subject = await deployment({
    templates: [{ name: "triage", parameters: [{ name: "issue_number" }] }],
  });
  await created(subject.provider);
  expect(subject.standIn.requests.find(({ line }) => line === CREATE)?.body).toMatchObject({
    rich_parameter_values: [{ name: "issue_number", value: "142" }],
  });
});

test.each([false, true])(
  "create returns locked for a taken name, with the holder's lease (lost at the unique index: %s) (coder failure 1, coder failure 2)",
  async (uniqueIndexRace) => {
    await using subject = await deployment();
    subject.standIn.faults.uniqueIndexRace = uniqueIndexRace;
    await created(subject.provider);
    const rival = request(undefined, { runId: "20260102T030499Z", parent: "ci/1/boot.1.5" });
    expect(await subject.provider.create(rival, never)).toEqual({ type: "locked", holder: LEASE });
    expect(subject.standIn.liveNames()).toEqual(["product-triage-142"]);
  },
);

test("create compares names case-insensitively, as Coder does (coder failure 1)", async () => {
  await using subject = await deployment();
  subject.standIn.seed({ name: "Product-Triage-142" });
  expect(await subject.provider.create(request(), never)).toEqual({ type: "locked", holder: null });
});

test("a parent that started in the same second counts as foreign (coder failure 2, T11)", async () => {
  await using subject = await deployment();
  await created(subject.provider);
  const sameSecond = request(undefined, { parent: "ci/1/boot.1.5" });
  expect(await subject.provider.create(sameSecond, never)).toEqual({ type: "locked", holder: LEASE });
});

test.each([
  ["with", LEASE_PARAMETERS],
  ["without", [{ name: "run_id" }, { name: "issue_number" }]],
])(
  "%s afk_parent, a parent of the same second whose own create was lost does not take another parent's Coder workspace for its own (coder failure 2, coder failure 3, T11)",
  async (_, parameters) => {
    await using subject = await deployment({ templates: [{ name: "triage", parameters }] });
    const workspace = await created(subject.provider);
    const path = /^\/users\/me\/workspaces$/;
    subject.standIn.faults.answers.push({ method: "POST", path, times: 1, effect: "after", answer: "drop" });
    const rival = request(undefined, { parent: "ci/1/boot.1.5" });
    expect(await connect(subject.standIn).create(rival, never)).toMatchObject({
      type: "locked",
      holder: { runId: LEASE.runId },
    });
    expect(await subject.provider.leaseState(workspace.id, never)).toBe("held");
  },
);

test("issues with the same number in repositories with the same name do not share one parent's Coder workspace (coder failure 2, A29)", async () => {
  await using subject = await deployment();
  const other = request(undefined, { issueKey: "elsewhere/product#142" });
  // Both creates run at once, so that each may find the other's Coder workspace before it has its own answer.
  const results = await Promise.all([
    subject.provider.create(request(), never),
    subject.provider.create(other, never),
  ]);
  expect(results).toMatchObject([{ type: "created" }, { type: "locked", holder: LEASE }]);
  const [first] = results;
  if (first?.type === "created") await subject.provider.destroy(first.workspace, never);
  await created(subject.provider, other);
});

test("a renamed Coder workspace no longer counts as the lock (S15, T4)", async () => {
  await using subject = await deployment();
  const { id } = await created(subject.provider);
  const [record] = subject.standIn.state.workspaces;
  if (record !== undefined) record.name = "somebody-elses-1";
  expect(await subject.provider.leaseState(id, never)).toBe("lost");
});

test.each([
  ["a dropped connection", "drop"],
  ["a proxy's 502", { status: 502, html: "<title>Bad Gateway</title>" }],
  ["a proxy's page under 200", { status: 200, html: "<title>Hold on</title>" }],
  ["a 500 with another reason", { status: 500, body: { message: "Internal server error" } }],
] as const)(
  "a Coder workspace whose create lost its answer (%s) is adopted, not created twice (coder failure 3)",
  async (_, answer) => {
    await using subject = await deployment();
    const fault = {
      method: "POST",
      path: /^\/users\/me\/workspaces$/,
      times: 1,
      effect: "after" as const,
      answer,
    };
    subject.standIn.faults.answers.push(fault);
    const workspace = await created(subject.provider);
    expect(subject.standIn.state.workspaces.map(({ id }) => id)).toEqual([workspace.id]);
  },
);

test("a create that is lost before any effect is repeated (coder failure 3)", async () => {
  await using subject = await deployment();
  const path = /^\/users\/me\/workspaces$/;
  subject.standIn.faults.answers.push({ method: "POST", path, times: 2, effect: "before", answer: "drop" });
  await created(subject.provider);
  expect(subject.standIn.liveNames()).toEqual(["product-triage-142"]);
});

test("a foreign holder that is found after a lost answer keeps its Coder workspace (coder failure 3)", async () => {
  await using subject = await deployment();
  const other = connect(subject.standIn);
  await created(other, request(undefined, { runId: "20260102T030499Z", parent: "ci/1/boot.1.5" }));
  const path = /^\/users\/me\/workspaces$/;
  subject.standIn.faults.answers.push({ method: "POST", path, times: 1, effect: "before", answer: "drop" });
  expect(await subject.provider.create(request(), never)).toMatchObject({ type: "locked" });
  expect(subject.standIn.liveNames()).toEqual(["product-triage-142"]);
});

test("create rejects with the name when the existence of the Coder workspace cannot be determined (coder failure 3)", async () => {
  await using subject = await deployment();
  const { answers } = subject.standIn.faults;
  answers.push({ method: "POST", path: /workspaces$/, times: 1, effect: "after", answer: "drop" });
  answers.push({ method: "GET", path: /workspace\//, times: 1000, effect: "before", answer: "drop" });
  await expect(subject.provider.create(request(), never)).rejects.toMatchObject({
    code: "WORKSPACE_STRANDED",
    details: { name: "product-triage-142", id: null },
  });
});

test("create waits while it is rate-limited or its template is still importing (coder failure 9, coder failure 10)", async () => {
  await using subject = await deployment();
  const [template] = subject.standIn.state.templates;
  const path = /^\/users\/me\/workspaces$/;
  const { answers } = subject.standIn.faults;
  answers.push({ method: "POST", path, times: 1, effect: "before", answer: { status: 429 } });
  answers.push({ method: "POST", path, times: 1, effect: "before", answer: { status: 406 } });
  await created(subject.provider);
  if (template !== undefined) template.spec.importing = true;
  const failure = await failureOf(subject.provider.create(request("product-triage-143"), never));
  expect(failure).toMatchObject({ code: "WORKSPACE_CREATE_FAILED" });
  expect(failure.message).toContain("importing");
});

test("an aborted signal stops the retries, but not the read that finds a lost create", async () => {
  await using subject = await deployment();
  await subject.provider.preflight(never);
  const stop = new AbortController();
  const fault = {
    method: "POST",
    path: /^\/users\/me\/workspaces$/,
    times: 1,
    effect: "after" as const,
    get answer() {
      stop.abort(new Error("stopped by the test"));
      return "drop" as const;
    },
  };
  subject.standIn.faults.answers.push(fault);
  expect(await subject.provider.create(request(), stop.signal)).toMatchObject({ type: "created" });
  await expect(subject.provider.create(request("product-triage-7"), stop.signal)).rejects.toThrow(
    "stopped by the test",
  );
  expect(subject.standIn.liveNames()).toEqual(["product-triage-142"]);
});

test.each([
  [403, "Unauthorized to create workspace.", "CODER_FORBIDDEN"],
  [403, "External authentication is required to create a workspace.", "CODER_EXTERNAL_AUTH_MISSING"],
  [400, 'Unable to validate parameter "region"', "CODER_PARAMETER_REJECTED"],
  [400, "Validation failed.", "WORKSPACE_CREATE_FAILED"],
  [401, "You are signed out or your session has expired.", "CODER_LOGGED_OUT"],
])(
  "create rejects a refusal (%i %s) with %s, without retries (coder failure 5, coder failure 6, coder failure 7)",
  async (status, message, code) => {
    await using subject = await deployment();
    const answer = { status, body: { message } };
    const fault = { method: "POST", path: /workspaces$/, times: 9, effect: "before" as const, answer };
    subject.standIn.faults.answers.push(fault);
    const failure = await failureOf(subject.provider.create(request(), never));
    expect(failure).toMatchObject({ code, message: expect.stringContaining(message) as string });
    expect(fault.times).toBe(8);
  },
);

test("a create that was refused by the rate limiter after it took effect is found, not leaked (coder failure 9, T5)", async () => {
  await using subject = await deployment();
  const path = /^\/users\/me\/workspaces$/;
  const { answers } = subject.standIn.faults;
  answers.push({ method: "POST", path, times: 9, effect: "after", answer: { status: 429 } });
  expect(await subject.provider.create(request(), never)).toMatchObject({ type: "created" });
  expect(subject.standIn.liveNames()).toEqual(["product-triage-142"]);
});

import { type Clock, systemClock, systemIds } from "agent-tty/kit";
import { expect, test } from "vitest";
import type { CoderProviderOptions } from "../../src/workspaces/index.ts";
import {
  type CoderStandIn,
  type CoderStandInOptions,
  deployment,
  failureOf,
  LEASE_PARAMETERS,
  never,
  type TemplateSpec,
} from "../support/coder/index.ts";

const template = (spec: Partial<TemplateSpec>): CoderStandInOptions => ({
  templates: [{ name: "triage", parameters: LEASE_PARAMETERS, ...spec }],
});

test("preflight describes the deployment and does not warn when everything is correct", async () => {
  await using subject = await deployment();
  expect(await subject.provider.preflight(never)).toEqual({
    kind: "coder",
    summary: `Coder 2.35.1 at ${subject.standIn.url}, template triage`,
    warnings: [],
  });
});

interface Refusal {
  standIn?: CoderStandInOptions;
  provider?: Partial<CoderProviderOptions>;
  arrange?: (standIn: CoderStandIn) => void;
  code: string;
  says: RegExp;
}

async function check({ standIn, provider, arrange, code, says }: Refusal): Promise<void> {
  await using subject = await deployment(standIn, provider);
  arrange?.(subject.standIn);
  const failure = await failureOf(subject.provider.preflight(never));
  expect(failure).toMatchObject({ code });
  expect(`${failure.message} ${failure.remedy}`).toMatch(says);
  expect(subject.standIn.requests.filter(({ line }) => line.startsWith("POST"))).toEqual([]);
}

const REFUSALS: Record<string, Refusal> = {
  "coder failure 26: an old deployment": {
    standIn: { serverVersion: "v2.33.11+abc" },
    code: "CODER_SERVER_TOO_OLD",
    says: /v2\.33\.11.*2\.34\.0/,
  },
  "coder failure 26: an old CLI": {
    standIn: { cliVersion: "v2.29.19+f8bdec5" },
    code: "CODER_CLI_TOO_OLD",
    says: /v2\.29\.19.*2\.34\.0/,
  },
  "a missing CLI": {
    provider: { binary: "/nowhere/coder" },
    code: "CODER_CLI_MISSING",
    says: /\/nowhere\/coder.*AFK_TRIAGE_CODER_BIN/,
  },
  "another program in the CLI's place": {
    provider: { binary: "true" },
    code: "CODER_CLI_MISSING",
    says: /not what the Coder CLI prints/,
  },
  "coder failure 22: a CLI that hangs": {
    arrange: (standIn) => standIn.configureCli({ hangs: true }),
    provider: { timings: { cliTimeoutMs: 300 } },
    code: "CODER_CLI_MISSING",
    says: /within 300 ms/,
  },
  "coder failure 7: a token that is no longer valid": {
    arrange: ({ faults }) => (faults.unauthorized = true),
    code: "CODER_LOGGED_OUT",
    says: /signed out.*coder login.*CODER_SESSION_TOKEN/s,
  },
  "no token": {
    provider: { token: "" },
    code: "CODER_NOT_CONFIGURED",
    says: /CODER_SESSION_TOKEN is not set.*or use --provider local/s,
  },
  "no address": { provider: { url: "coder.example" }, code: "CODER_NOT_CONFIGURED", says: /http\(s\)/ },
  "an address with credentials": {
    provider: { url: "https://a:b@coder.example" },
    code: "CODER_NOT_CONFIGURED",
    says: /credentials/,
  },
  "coder failure 10: nobody listens": {
    provider: { url: "http://127.0.0.1:9", timings: { retryForMs: 30 } },
    code: "CODER_UNREACHABLE",
    says: /127\.0\.0\.1:9.*ECONNREFUSED|bad port/s,
  },
  "coder failure 10: a proxy's error page that stays": {
    arrange: ({ faults }) =>
      faults.answers.push({
        method: "GET",
        path: /users\/me$/,
        times: 1000,
        effect: "before",
        answer: { status: 502, html: "<html><title>Bad Gateway</title></html>" },
      }),
    code: "CODER_UNREACHABLE",
    says: /HTTP 502: an HTML page "Bad Gateway"/,
  },
  "coder failure 9: a rate limit that stays": {
    arrange: ({ faults }) =>
      faults.answers.push({
        method: "GET",
        path: /users\/me$/,
        times: 1000,
        effect: "before",
        answer: { status: 429, body: { message: "You've been rate limited" } },
      }),
    code: "CODER_RATE_LIMITED",
    says: /rate limited/,
  },
  "a login page under status 200": {
    arrange: ({ faults }) =>
      faults.answers.push({
        method: "GET",
        path: /users\/me$/,
        times: 1,
        effect: "before",
        answer: { status: 200, html: "<html><title>Sign in</title></html>" },
      }),
    code: "CODER_UNEXPECTED_ANSWER",
    says: /Sign in.*CODER_URL/s,
  },
  "a redirect, which would carry the token elsewhere": {
    arrange: ({ faults }) =>
      faults.answers.push({
        method: "GET",
        path: /users\/me$/,
        times: 1,
        effect: "before",
        answer: { status: 302, html: "", headers: { location: "https://login.example/" } },
      }),
    code: "CODER_UNEXPECTED_ANSWER",
    says: /redirected.*login\.example/,
  },
  "coder failure 5: an unknown template, with those there are": {
    provider: { template: "triaje" },
    code: "CODER_TEMPLATE_MISSING",
    says: /triaje.*coder\/triage/s,
  },
  "coder failure 5: one name in several organizations": {
    standIn: {
      templates: [
        { name: "triage", organization: "blue" },
        { name: "triage", organization: "red" },
      ],
    },
    code: "CODER_TEMPLATE_MISSING",
    says: /blue, red.*coder\.organization/s,
  },
  "coder failure 5: an unknown preset": {
    standIn: template({ presets: [{ name: "small" }, { name: "large" }] }),
    provider: { preset: "medium" },
    code: "CODER_PRESET_MISSING",
    says: /medium.*large, small/s,
  },
  "coder failure 5: an unknown parameter": {
    standIn: template({ parameters: [...LEASE_PARAMETERS, { name: "region" }] }),
    provider: { parameters: { regoin: "eu" } },
    code: "CODER_PARAMETER_REJECTED",
    says: /regoin.*region/,
  },
  "coder failure 5: a value that is no option": {
    standIn: template({ parameters: [{ name: "region", options: ["eu", "us"] }] }),
    provider: { parameters: { region: "mars" } },
    code: "CODER_PARAMETER_REJECTED",
    says: /"mars".*eu, us/,
  },
  "coder failure 5: a required parameter that nothing sets": {
    standIn: template({ parameters: [{ name: "team", required: true }] }),
    code: "CODER_PARAMETER_REJECTED",
    says: /requires team/,
  },
  "a configured parameter that is the lease": {
    provider: { parameters: { run_id: "mine" } },
    code: "CODER_PARAMETER_REJECTED",
    says: /run_id, which afk-triage sets/,
  },
  "coder failure 6: external authentication that is not linked": {
    standIn: template({ externalAuth: [{ id: "github", authenticated: false }] }),
    code: "CODER_EXTERNAL_AUTH_MISSING",
    says: /github.*\/external-auth\/github/s,
  },
};

test.each(Object.keys(REFUSALS))("preflight refuses before any create: %s", async (name) => {
  const refusal = REFUSALS[name];
  expect(refusal).toBeDefined();
  if (refusal !== undefined) await check(refusal);
});

async function warnings(standIn: CoderStandInOptions, provider?: Partial<CoderProviderOptions>) {
  await using subject = await deployment(standIn, provider);
  return (await subject.provider.preflight(never)).warnings;
}

test("preflight warns about a template without the lease, a deprecated template, and unequal versions", async () => {
  expect(await warnings(template({ parameters: [] }))).toEqual([
    expect.stringContaining("no parameter run_id"),
  ]);
  // Coder does not return an ephemeral parameter, so it cannot be part of a lease.
  const ephemeral = LEASE_PARAMETERS.map((parameter) => ({ ...parameter, ephemeral: true }));
  expect(await warnings(template({ parameters: ephemeral }))).toEqual([
    expect.stringContaining("no parameter run_id"),
  ]);
  expect(await warnings(template({ deprecated: true, deprecationMessage: "use triage-2" }))).toEqual([
    "The Coder template triage is deprecated: use triage-2",
  ]);
  expect(await warnings({ cliVersion: "v2.34.5+c3dd41e" })).toEqual([expect.stringContaining("v2.34.5")]);
});

test("preflight accepts the named organization, optional external authentication, and a required parameter that is set", async () => {
  const standIn: CoderStandInOptions = {
    templates: [
      { name: "triage", organization: "blue", parameters: [{ name: "team", required: true }] },
      {
        name: "triage",
        organization: "red",
        parameters: [...LEASE_PARAMETERS, { name: "team", required: true }],
        externalAuth: [{ id: "github", authenticated: false, optional: true }],
      },
    ],
  };
  expect(await warnings(standIn, { organization: "red", parameters: { team: "core" } })).toEqual([]);
});

test("passing failures of preflight are retried (coder failure 10)", async () => {
  await using subject = await deployment();
  for (const [path, answer] of [
    [/buildinfo$/, { status: 503, html: "<title>starting</title>" }],
    [/users\/me$/, "drop"],
    [/templates$/, { status: 429, headers: { "retry-after": "0" } }],
  ] as const)
    subject.standIn.faults.answers.push({ method: "GET", path, times: 2, effect: "before", answer });
  expect((await subject.provider.preflight(never)).warnings).toEqual([]);
});

test("the pauses after a rate limit grow, are bounded, and differ between parents (coder failure 9)", async () => {
  const pausesOf = async (): Promise<number[]> => {
    const pauses: number[] = [];
    const clock: Clock = {
      ...systemClock,
      // On a busy machine five answers take longer than rate limits are retried, which this test does not check.
      monotonicMs: () => 0,
      sleep: (durationMs, signal) => {
        // Longer sleeps are the CLI's own grace.
        if (durationMs < 100) pauses.push(durationMs);
        return durationMs < 100 ? Promise.resolve() : systemClock.sleep(durationMs, signal);
      },
    };
    await using subject = await deployment({}, { clock, ids: systemIds(systemClock) });
    const answer = { status: 429 };
    subject.standIn.faults.answers.push({
      method: "GET",
      path: /me$/,
      times: 5,
      effect: "before",
      answer,
    });
    await subject.provider.preflight(never);
    return pauses;
  };
  const parents = await Promise.all([pausesOf(), pausesOf(), pausesOf(), pausesOf()]);
  for (const pauses of parents) {
    expect(pauses).toHaveLength(5);
    pauses.forEach((pause, index) => {
      const plainMs = Math.min(5 * 2 ** index, 40);
      expect(pause).toBeGreaterThanOrEqual(plainMs);
      expect(pause).toBeLessThanOrEqual(plainMs * 1.25);
    });
  }
  expect(new Set(parents.map(String)).size).toBeGreaterThan(1);
});

test("a reaper, which makes no preflight, waits no longer for the first answer of a wrong address than a preflight does (coder failure 10)", async () => {
  const patience = { timings: { retryForMs: 60_000, firstAnswerMs: 60, retryFirstDelayMs: 20 } };
  await using away = await deployment({}, { ...patience, url: "http://127.0.0.1:9" });
  const missed = away.provider.list("widgets-triage", AbortSignal.timeout(10_000));
  expect(await failureOf(missed)).toMatchObject({ code: "CODER_UNREACHABLE" });
  // A deployment that has answered once gets the usual time.
  await using present = await deployment({}, patience);
  const { provider, standIn } = present;
  await provider.list("widgets-triage", AbortSignal.timeout(10_000));
  standIn.faults.answers.push({
    method: "GET",
    path: /users\/me$/,
    times: 6,
    effect: "before",
    answer: { status: 502, html: "<html></html>" },
  });
  expect(await provider.list("widgets-triage", AbortSignal.timeout(10_000))).toEqual([]);
});

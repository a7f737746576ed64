import { OperationalError } from "agent-tty/kit";
import { createVirtualClock } from "agent-tty/testing";
import { expect, test } from "vitest";
import { chooseSettings, defaultRunFlags, readEnvironment } from "../../src/config/index.ts";
import { type DoctorFacts, type DoctorProbes, doctorCheckNames, examine } from "../../src/doctor/index.ts";
import { worldLabels } from "../support/github/github-world.ts";

const facts: DoctorFacts = {
  processors: 8,
  environmentProblems: [],
  markerKeyLength: 32,
  markerKeyMinimum: 16,
};

const refuse = (message: string) =>
  Promise.reject(new OperationalError({ code: "USAGE", message, remedy: `mend: ${message}` }));

/** Returns probes of an environment in which nothing is missing. */
function soundProbes(provider: "coder" | "local"): DoctorProbes {
  const flags = { ...defaultRunFlags, provider, repo: ["octo/widgets" as const] };
  const { settings } = chooseSettings(flags, readEnvironment({}), {});
  const engine = ["node", "pty", "disk"].map((name) => ({ name, status: "ok" as const, detail: name }));
  return {
    git: () => Promise.resolve("git version 2.39.5"),
    configuration: () => Promise.resolve({ settings, file: null, repos: settings.batch.repos }),
    github: () => ({
      access: () => ({
        credential: () =>
          Promise.resolve({
            kind: "fine-grained",
            login: "bot",
            scopes: null,
            expiresAt: null,
            serverTimeMs: null,
          }),
        repository: () =>
          Promise.resolve({
            isPrivate: false,
            isArchived: false,
            hasIssues: true,
            canTriage: true,
            mayReadContents: "granted",
            mayWriteIssues: "granted",
          }),
      }),
      labels: () => ({
        names: () => Promise.resolve([...worldLabels]),
        create: () => Promise.resolve("exists"),
      }),
    }),
    coder: () => ({
      cli: () => Promise.resolve("2.35.1"),
      server: () => Promise.resolve("2.35.1"),
      login: () => Promise.resolve("bot"),
      template: () => Promise.resolve([]),
      quota: () => Promise.resolve(null),
    }),
    home: (directory) => Promise.resolve({ directory, mode: 0o700 }),
    store: () => Promise.resolve(),
    engine: () => Promise.resolve(engine),
    localProvider: () => Promise.resolve({ kind: "local", summary: "here", warnings: [] }),
    triageAgent: () => Promise.resolve({ place: "local", name: "x", problem: null, tui: null }),
    fleet: null,
  };
}

/** Returns the checks that are not ok, as `name: status`. */
async function check(
  change: Partial<DoctorProbes>,
  expected: string[],
  provider: "coder" | "local" = "coder",
) {
  const probes = { ...soundProbes(provider), ...change };
  const asking = { clock: createVirtualClock(), signal: new AbortController().signal };
  const checks = await examine(facts, probes, asking);
  const faulty = checks.filter(({ status, name }) => status !== "ok" && name !== "clock");
  expect(faulty.map(({ name, status }) => `${name}: ${status}`)).toEqual(expected);
  return checks;
}

test("doctor runs every check, with and without Coder", async () => {
  const coder = await check({}, []);
  const local = await check({}, [], "local");
  const names = new Set([...coder, ...local].map(({ name }) => name));
  expect(doctorCheckNames.filter((name) => !names.has(name))).toEqual([]);
});

test("after a failure the other checks run; dependent checks are skipped with a reason", async () => {
  const sound = soundProbes("coder");
  const settings = await sound.configuration();
  const [github, coder] = [sound.github(settings), sound.coder(settings)];
  const access = github.access();
  await check({ git: () => refuse("git") }, ["git: failed"]);
  await check({ home: () => refuse("home") }, ["home: failed", "store: skip"]);
  await check({ store: () => refuse("store") }, ["store: failed"]);
  await check({ engine: () => Promise.resolve([]) }, ["node: skip", "disk: skip", "pty: skip"]);
  await check(
    { github: () => ({ ...github, access: () => ({ ...access, credential: () => refuse("token") }) }) },
    ["github-credential: failed", "repository: skip", "github-permissions: skip", "labels: skip"],
  );
  await check(
    { github: () => ({ ...github, access: () => ({ ...access, repository: () => refuse("repo") }) }) },
    ["repository: failed", "github-permissions: skip", "labels: skip"],
  );
  await check({ coder: () => ({ ...coder, cli: () => refuse("cli") }) }, ["coder-cli: failed"]);
  await check({ coder: () => ({ ...coder, server: () => refuse("server") }) }, [
    "coder-server: failed",
    "coder-login: skip",
    "coder-template: skip",
  ]);
  await check({ coder: () => ({ ...coder, login: () => refuse("login") }) }, [
    "coder-login: failed",
    "coder-template: skip",
  ]);
  const checks = await check(
    { configuration: () => refuse("config") },
    [
      "config: failed",
      "home: skip",
      "store: skip",
      "parallelism: skip",
      "disk: skip",
      "pty: skip",
      "github-credential: skip",
      "repository: skip",
    ].toSorted((one, other) => position(one) - position(other)),
  );
  expect(checks.find(({ name }) => name === "config")).toMatchObject({
    message: "config",
    remedy: "mend: config",
  });
});

function position(line: string): number {
  return doctorCheckNames.indexOf(line.split(":")[0] as (typeof doctorCheckNames)[number]);
}

test("without a repository the other checks still run", async () => {
  const settings = await soundProbes("coder").configuration();
  await check({ configuration: () => Promise.resolve({ ...settings, repos: [] }) }, ["repository: failed"]);
});

test("a probe that never answers is abandoned, and the others do not wait for it", async () => {
  const clock = createVirtualClock();
  const never = new Promise<never>(() => undefined);
  const probes = { ...soundProbes("local"), triageAgent: () => never, git: () => never };
  const work = examine(facts, probes, { clock, signal: new AbortController().signal });
  // The configuration is read first: the time of the other probes begins after it.
  for (let step = 0; step < 7; step += 1) await clock.advance(10_000);
  const faulty = (await work).filter(({ status }) => status === "failed");
  expect(faulty.map(({ name, message }) => `${name}: ${message}`)).toEqual([
    "git: ask git for its version: no answer within 10 s",
    "triage-agent: look for the Triage Agent: no answer within 60 s",
  ]);
});

test("a stop ends the examination", async () => {
  const never = new Promise<never>(() => undefined);
  const controller = new AbortController();
  const asking = { clock: createVirtualClock(), signal: controller.signal };
  const work = examine(facts, { ...soundProbes("local"), git: () => never }, asking);
  controller.abort(new Error("stopped"));
  await expect(work).rejects.toThrow("stopped");
});

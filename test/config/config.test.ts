import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { buildProgram } from "../../src/cli/program.ts";
import { knownSettings } from "../../src/config/choose-settings.ts";
import { configCommand, type ConfigRequest } from "../../src/cli/commands/config-command.ts";
import {
  configSchema,
  defaultRunFlags,
  readConfig,
  readConfigFile,
  readEnvironment,
  resolveSettings,
  shownSettings,
} from "../../src/config/index.ts";
import { doctorFacts } from "../../src/cli/wiring/doctor/index.ts";
import { recordedOutput } from "../support/cli/recorded-output.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const grammar = buildProgram({
  output: () => Promise.reject(new Error("nothing runs")),
  exitWith: () => undefined,
});

interface Shown {
  file: string;
  machineFile: string | null;
  settings: { key: string; value: unknown; source: string; from: string | null }[];
  environment: { name: string; isSet: boolean; value: string | null }[];
}

async function show(text: string, request: Partial<ConfigRequest>, env: Record<string, string>) {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "config.yml");
  await writeFile(file, text);
  const output = recordedOutput();
  expect(await configCommand({ repo: [], config: file, ...request }, output, env)).toBe(0);
  const shown = output.documents[0] as Shown;
  const all = `${JSON.stringify(shown)}\n${output.lines.join("\n")}`;
  const setting = (key: string) => {
    const { value, source, from } = shown.settings.find((each) => each.key === key) ?? {};
    return [value, source, from?.replace(file, "FILE")];
  };
  return { shown, setting, all };
}

test("a dry run shows the variables and parameters of the config file, without their secret values (S18)", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "config.yml");
  const token = `ghp_${"a1B2".repeat(9)}`;
  const env = {
    ANTHROPIC_BASE_URL: "https://models.example",
    MODEL: "x",
    MY_PASSWORD: "hunter2",
    OTHER: token,
  };
  const parameters = {
    region: "eu",
    registry_token: "0a1b2c3d4e5f6071",
    cache: "https://u:p4ssw0rd9@c.example",
  };
  const config = { repos: ["octo/widgets"], triageAgent: { env }, coder: { parameters } };
  await writeFile(file, JSON.stringify(config));
  const settings = resolveSettings(
    defaultRunFlags,
    readEnvironment({}),
    await readConfig(file, readEnvironment({})),
  );
  const shown = shownSettings(settings);
  expect(shown).toMatchObject({
    triageAgent: { env: { ANTHROPIC_BASE_URL: "https://models.example", MODEL: "x", MY_PASSWORD: "(set)" } },
    coder: { parameters: { region: "eu", registry_token: "(set)", cache: "(set)" } },
  });
  expect(JSON.stringify(shown)).not.toMatch(/hunter2|a1B2|0a1b2c|p4ssw0rd9/);
  expect(shown.batch).toEqual(settings.batch);
});

test("a repository that is named twice, in any case, is triaged once (T1)", () => {
  const repo = ["Octo/Widgets", "acme/gadgets", "octo/widgets", "acme/gadgets"] as const;
  const { batch } = resolveSettings({ ...defaultRunFlags, repo: [...repo] }, readEnvironment({}), {});
  expect(batch.repos).toEqual(["Octo/Widgets", "acme/gadgets"]);
});

test("config shows the value of every setting, and the flag, variable or line that sets it", async () => {
  const text =
    "parallelism: 7\nprovider: local\nlabels:\n  bug: Bug\ncoder: {url: 'https://a.example'}\ncooldown: 48h\n";
  const env = { TRIAGE_PARALLELISM: "9", CODER_URL: "https://b.example" };
  const { setting } = await show(text, { repo: ["octo/widgets"], provider: "coder" }, env);
  expect(setting("repos")).toEqual([["octo/widgets"], "flag", "--repo"]);
  expect(setting("provider")).toEqual(["coder", "flag", "--provider"]);
  expect(setting("parallelism")).toEqual([9, "environment", "TRIAGE_PARALLELISM"]);
  expect(setting("coder.url")).toEqual(["https://b.example", "environment", "CODER_URL"]);
  expect(setting("labels.bug")).toEqual(["Bug", "file", "FILE:4"]);
  expect(setting("cooldown")).toEqual(["2d", "file", "FILE:6"]);
  expect(setting("runDeadline")).toEqual(["20m", "default", undefined]);
});

test("a setting of this machine's own file says that file and its line, beside the repository's (S22)", async () => {
  await using directory = await temporaryDirectory();
  const [machine, repository] = [join(directory.path, "machine.yml"), join(directory.path, "config.yml")];
  await writeFile(machine, "provider: local\nparallelism: 3\nlabels:\n  bug: Bug\n");
  await writeFile(repository, "parallelism: 4\nlabels: {wontfix: No}\n");
  const output = recordedOutput();
  await configCommand({ repo: [], config: repository }, output, { AFK_TRIAGE_CONFIG: machine });
  const shown = output.documents[0] as Shown;
  const from = (key: string) => shown.settings.find((each) => each.key === key)?.from;
  expect(["provider", "parallelism", "labels.bug", "labels.wontfix"].map(from)).toEqual([
    `${machine}:1`,
    `${repository}:1`,
    `${machine}:4`,
    `${repository}:2`,
  ]);
  expect([shown.file, shown.machineFile]).toEqual([repository, machine]);
  expect(output.lines.slice(0, 2)).toEqual([
    `config file: ${repository}`,
    `this machine's config file: ${machine}`,
  ]);
});

test("config shows every key that the file may have", async () => {
  const { shown } = await show("", {}, {});
  const keysOf = (schema: object, path: string): string[] =>
    Object.entries((schema as { properties?: Record<string, object> }).properties ?? {}).flatMap(
      ([name, property]) => {
        const below = keysOf(property, `${path}${name}.`);
        return below.length === 0 ? [`${path}${name}`] : below;
      },
    );
  const known = keysOf(z.toJSONSchema(configSchema, { io: "input" }), "");
  expect(known.length).toBeGreaterThan(30);
  expect(shown.settings.map(({ key }) => key)).toEqual(expect.arrayContaining(known));
});

test("config works without a repository", async () => {
  expect((await show("", {}, {})).setting("repos")).toEqual([[], "default", undefined]);
});

test("`config` never shows a secret, wherever it is set (S8)", async () => {
  const canary = "canary7canary7canary7";
  const secrets = {
    GITHUB_TOKEN: canary,
    AFK_TRIAGE_APP_PRIVATE_KEY: canary,
    AFK_TRIAGE_MARKER_KEY: canary,
    CODER_SESSION_TOKEN: canary,
    AFK_TRIAGE_CODER_TOKEN_COMMAND: `echo ${canary}`,
  };
  const text = [
    `triageAgent: {env: {ANTHROPIC_API_KEY: ${canary}}}`,
    `checkout: {url: "https://person:${canary}@git.example/x.git"}`,
  ].join("\n");
  const { shown, all, setting } = await show(text, { repo: ["octo/widgets"] }, secrets);
  expect(all).not.toContain(canary);
  expect(setting("triageAgent.env")[0]).toEqual({ ANTHROPIC_API_KEY: "(set)" });
  for (const name of Object.keys(secrets))
    expect(shown.environment.find((each) => each.name === name)).toEqual({ name, isSet: true, value: null });
});

test("a secret is read from the file that NAME_FILE names, and hidden like one in the environment (F7, S8)", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "token");
  await writeFile(file, "canary8canary8canary8\n");
  const env = { CODER_SESSION_TOKEN_FILE: file };
  const read = readEnvironment(env);
  expect(read.coderToken).toBe("canary8canary8canary8");
  expect(read.secrets.map(({ value }) => value)).toContain("canary8canary8canary8");
  await writeFile(file, "\uFEFFcanary8canary8canary8\r\n");
  expect(readEnvironment(env).coderToken).toBe("canary8canary8canary8");
  // The variable itself takes precedence over the file.
  expect(readEnvironment({ ...env, CODER_SESSION_TOKEN: "another" }).coderToken).toBe("another");
  expect(() => readEnvironment({ GITHUB_TOKEN_FILE: join(directory.path, "absent") })).toThrow(
    /GITHUB_TOKEN_FILE: .*absent/,
  );
});

test.each(["GITHUB_TOKEN", "CODER_SESSION_TOKEN", "AFK_TRIAGE_GATEWAY_TOKEN"])(
  "a %s with a line end is read without it, and one with blanks, line breaks or quotation marks is refused without being shown (S8)",
  (name) => {
    const { githubToken, coderToken, gatewayToken } = readEnvironment({
      [name]: " canary9canary9canary9\r\n",
    });
    expect(githubToken ?? coderToken ?? gatewayToken).toBe("canary9canary9canary9");
    for (const value of ["canary9canary9\ncanary9", "“canary9canary9canary9”", "canary9 canary9", " \n"])
      expect(() => readEnvironment({ [name]: value })).toThrow(
        new RegExp(
          `^read the environment: ${name}: expected a token: visible ASCII characters without blanks$`,
        ),
      );
  },
);

test("an empty secret file counts as unset, as an empty variable does (F7)", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "empty");
  await writeFile(file, "\n");
  const read = readEnvironment({ GITHUB_TOKEN_FILE: file, AFK_TRIAGE_DATABASE_URL_FILE: file });
  expect([read.githubToken, read.databaseUrl, read.secrets]).toEqual([null, null, []]);
});

test("doctor names a secret file that cannot be read, and the other checks treat it as unset (F7)", () => {
  const env = { GITHUB_TOKEN_FILE: "/nowhere/token", CODER_URL: "coder", AFK_TRIAGE_HOME: "/home/of/triage" };
  const { facts, environment } = doctorFacts(env);
  expect(facts.environmentProblems).toEqual([
    { name: "GITHUB_TOKEN_FILE", problem: expect.stringContaining("/nowhere/token") as string },
    { name: "CODER_URL", problem: 'expected a URL such as https://host.example, got "coder"' },
  ]);
  expect(environment).toMatchObject({ githubToken: null, coderUrl: null, home: "/home/of/triage" });
  expect(() => readEnvironment(env)).toThrow(/GITHUB_TOKEN_FILE: .*; CODER_URL: /);
});

test.each(["123456", "Iv1.8a61f9b3a7aba766", "Iv23liAbCdEf0123456789"])(
  "%s is the id of an App",
  (AFK_TRIAGE_APP_ID) => expect(readEnvironment({ AFK_TRIAGE_APP_ID }).appId).toBe(AFK_TRIAGE_APP_ID),
);

test("a database URL that is not PostgreSQL's is refused without its value, also from a file (S4)", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "url");
  for (const wrong of ["foo", "mysql://app:hunterhunter@db/fleet", "postgres:fleet"]) {
    await writeFile(file, `${wrong}\n`);
    for (const env of [{ AFK_TRIAGE_DATABASE_URL: wrong }, { AFK_TRIAGE_DATABASE_URL_FILE: file }]) {
      const refuse = (): unknown => readEnvironment(env);
      expect(refuse).toThrow(
        /AFK_TRIAGE_DATABASE_URL: expected postgresql:\/\/user:password@host\/database$/,
      );
    }
  }
  for (const right of ["postgres://app@db/fleet", "postgresql:///fleet?host=/run/postgresql"])
    expect(readEnvironment({ AFK_TRIAGE_DATABASE_URL: right }).databaseUrl).toBe(right);
});

test("a wrong key is reported with its file and line, and the nearest valid key", async () => {
  await using directory = await temporaryDirectory();
  const rows: [string, string][] = [
    ["# a comment\nparalelism: 3\n", ':2: unknown key "paralelism" (did you mean "parallelism"?)'],
    ["coder:\n  template: x\n  presett: y\n", ':3: unknown key "presett" in coder (did you mean "preset"?)'],
    ["reproduction:\n  timeout: soon\n", ":2: reproduction.timeout: expected a duration"],
    ["repos:\n  - a/b\n  - nowhere\n", ":3: repos.1: expected owner/name"],
    ["parallelism: 0\ncooldown: x\n", "; line 2: cooldown: expected a duration"],
    ["cooldown: x\nparallelism: 0\n", "; line 2: parallelism: expected"],
    ["repos: [a/b\nprovider: local\n", ":2: it is not valid YAML"],
    ["repos: []\n", ":1: repos: expected a list of at least 1 entries, got []"],
  ];
  for (const [text, says] of rows) {
    const file = join(directory.path, "config.yml");
    await writeFile(file, text);
    const error = (await readConfigFile(file, readEnvironment({})).catch((each: unknown) => each)) as Error;
    expect(error.message).toContain(says);
  }
});

test("a second file replaces single keys of the machine's, also of nested sections, and maps as a whole (F5)", async () => {
  await using directory = await temporaryDirectory();
  const [machine, file] = [join(directory.path, "machine.yml"), join(directory.path, "extra.yml")];
  const budget = { ownerUsd: 100, fleetUsd: 500, repositoryUsd: 50 };
  const coder = { template: "ours", parameters: { region: "eu" } };
  await writeFile(machine, JSON.stringify({ fleet: { perOwner: 7, budget }, coder }));
  const over = {
    fleet: { budget: { repositoryUsd: 5, fleetUsd: null } },
    coder: { parameters: { size: "l" } },
  };
  await writeFile(file, JSON.stringify(over));
  expect(await readConfig(file, { machineConfig: machine })).toEqual({
    fleet: { perOwner: 7, budget: { ownerUsd: 100, fleetUsd: null, repositoryUsd: 5 } },
    coder: { template: "ours", parameters: { size: "l" } },
  });
});

test("a wrong value is repeated, but not where it is a secret (S8)", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "config.yml");
  const rows = [
    "triageAgent: {env: {ANTHROPIC_API_KEY: [canary9canary9canary9]}}",
    "evidence: {url: 'https://person:canary9canary9canary9@host.example'}",
  ];
  for (const text of rows) {
    await writeFile(file, text);
    const error = (await readConfigFile(file, readEnvironment({})).catch((each: unknown) => each)) as Error;
    expect(error.message).toContain("expected ");
    expect(error.message).not.toContain("canary9");
  }
});

test("null in the file is a value: it turns the range search off, and no default replaces it", async () => {
  const { setting } = await show("reproduction: {range: null}\ncoder: {preset: null}\n", {}, {});
  expect(setting("reproduction.range")).toEqual([null, "file", "FILE:1"]);
  expect(setting("coder.preset")).toEqual([null, "file", "FILE:2"]);
});

test.each(["run", "sweep", "backtest"])(
  "the help of %s shows the same defaults as the table of settings",
  (name) => {
    const { commands } = grammar;
    const options = commands.find((command) => command.name() === name)?.options ?? [];
    for (const { facts } of knownSettings) {
      const option = options.find(({ long }) => long === facts.flag?.[0]);
      const said = /\(default ([\w.]+)\)/.exec(option?.description ?? "")?.[1];
      if (said !== undefined) expect(said).toBe(String(facts.write?.(facts.fallback) ?? facts.fallback));
    }
    expect(options.map(({ description }) => description).join()).toContain("(default 20m)");
  },
);

test("each flag in the table of settings is an option of run", () => {
  const { commands } = grammar;
  const options = commands.find((command) => command.name() === "run")?.options ?? [];
  const flags = knownSettings.flatMap(({ facts }) => facts.flag?.[0] ?? []);
  expect(flags.length).toBeGreaterThan(5);
  expect(options.map(({ long }) => long)).toEqual(expect.arrayContaining(flags));
});

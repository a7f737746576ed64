import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { knownSettings } from "../../src/config/choose-settings.ts";
import { machineKeysIn } from "../../src/config/index.ts";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openProgramStage } from "../support/batch/program-stage.ts";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

/** Returns a file that sets one key. The value does not matter for who may set the key. */
function settingOnly(key: string): unknown {
  return key.split(".").reduceRight<unknown>((below, name) => ({ [name]: below }), "coder");
}

describe("the owner of each key (S22)", () => {
  test("the machine's keys are those that direct a credential, run beside one, decide what the home keeps, or belong to a fleet of many repositories", () => {
    const machines = knownSettings.filter(({ facts }) => facts.owner === "machine").map(({ key }) => key);
    const ofFleet = knownSettings.map(({ key }) => key).filter((key) => key.startsWith("fleet."));
    expect(machines.filter((key) => ofFleet.includes(key))).toEqual(ofFleet);
    expect(machines.filter((key) => !ofFleet.includes(key))).toEqual([
      "triageAgent.command",
      "triageAgent.env",
      "coder.url",
      "coder.inspectionGroup",
      "coder.inspectionLimit",
      "checkout.url",
      "retention.age",
      "retention.size",
      "evidence.url",
      "security.keepEvidence",
    ]);
  });

  test.each(knownSettings)(
    "$key in a repository's file is refused exactly when it is the machine's",
    (one) => {
      const refused = machineKeysIn(settingOnly(one.key)).map(({ key }) => key);
      expect(refused).toEqual(one.facts.owner === "machine" ? [one.key] : []);
    },
  );

  test("provider: local in a repository's file is refused, provider: coder is not", () => {
    expect(machineKeysIn({ provider: "local" })).toHaveLength(1);
    expect(machineKeysIn({ provider: "coder" })).toEqual([]);
  });
});

test("in a foreign checkout, doctor sends the Coder token to no address that the checkout names (S22)", async () => {
  await using stage = await openProgramStage(program);
  await stage.configure({ provider: "coder" });
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const file = join(stage.directory, "person/.github/afk-triage.yml");
    await writeFile(file, `# a foreign checkout\ncoder:\n  url: http://127.0.0.1:${port}\n`);
    const { exitCode, stdout, stderr } = await stage.run(["doctor"], {
      CODER_SESSION_TOKEN: "token-of-ours",
    });
    expect(exitCode).not.toBe(0);
    expect(`${stdout}${stderr}`).toContain(".github/afk-triage.yml:3");
    expect(`${stdout}${stderr}`).toContain("coder.url belongs to this machine");
    expect(`${stdout}${stderr}`).toContain(join(stage.directory, "machine.yml"));
    expect(seen).toEqual([]);
  } finally {
    server.close();
  }
});

test("each key of the machine in a repository's file is refused with its line (S22)", async () => {
  await using stage = await openProgramStage(program);
  const file = join(stage.directory, "person/.github/afk-triage.yml");
  await writeFile(file, "triageAgent:\n  command: [node]\n\n  env: {A: b}\nprovider: local\n");
  const { exitCode, stderr } = await stage.run(["config"]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(
    /afk-triage\.yml:2: triageAgent\.command belongs .*; line 4: triageAgent\.env belongs .*; line 5: provider belongs /,
  );
});

test("a file that AFK_TRIAGE_CONFIG names must exist (S22)", async () => {
  await using stage = await openProgramStage(program);
  const missing = join(stage.directory, "nowhere.yml");
  const { exitCode, stderr } = await stage.run(["config"], { AFK_TRIAGE_CONFIG: missing });
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining(`CONFIG_INVALID: read the config file ${missing}: `),
  ]);
  expect(stderr).toContain("with AFK_TRIAGE_CONFIG");
  expect(await stage.run(["config"], { AFK_TRIAGE_CONFIG: "" })).toMatchObject({ exitCode: 0 });
});

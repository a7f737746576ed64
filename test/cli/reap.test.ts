import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { reapCommand } from "../../src/cli/commands/reap-command.ts";
import { startCoderStandIn } from "../support/coder/index.ts";
import { recordedOutput } from "../support/cli/recorded-output.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

afterEach(() => void vi.unstubAllEnvs());

test("reap needs neither a Coder CLI nor a template from which Triage Runs could start (T5, S15)", async () => {
  await using directory = await temporaryDirectory();
  await using standIn = await startCoderStandIn({
    templates: [{ name: "triage", externalAuth: [{ id: "github", authenticated: false }] }],
  });
  standIn.seed({ name: "widgets-triage-1", ageMs: 90 * 24 * 3_600_000 });
  const environment = {
    AFK_TRIAGE_HOME: join(directory.path, "home"),
    AFK_TRIAGE_CODER_BIN: join(directory.path, "no-coder"),
    CODER_URL: standIn.url,
    CODER_SESSION_TOKEN: standIn.token,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const output = recordedOutput();
  expect(await reapCommand({ repo: ["octo/widgets"], dryRun: true, provider: "coder" }, output)).toBe(0);
  expect(output.documents).toMatchObject([
    { reaped: [{ name: "widgets-triage-1", reason: "lease-unreadable-and-old" }], stranded: [] },
  ]);
});

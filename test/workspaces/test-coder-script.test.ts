import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

test("the contract on a deployment says what is missing before it starts anything", async () => {
  const run = (env: Record<string, string>) =>
    execa("tsx", [join(ROOT, "scripts/test-coder.ts")], {
      preferLocal: true,
      localDir: ROOT,
      reject: false,
      extendEnv: false,
      env: { PATH: process.env["PATH"] ?? "", ...env },
    });
  const without = await run({});
  expect(without.exitCode).toBe(2);
  expect(without.stderr).toMatch(/CODER_URL: .*CODER_SESSION_TOKEN: .*AFK_TEST_CODER_TEMPLATE: /s);
  const almost = await run({ CODER_URL: "https://coder.example", CODER_SESSION_TOKEN: "t" });
  expect(almost.exitCode).toBe(2);
  expect(almost.stderr).not.toContain("CODER_URL");
});

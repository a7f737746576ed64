import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

test("the contract test on a deployment reports what is missing before it starts anything", async () => {
  const { exitCode, stderr } = await execa("tsx", [join(ROOT, "scripts/test-coder.ts")], {
    preferLocal: true,
    localDir: ROOT,
    reject: false,
    extendEnv: false,
    env: { PATH: process.env["PATH"] ?? "", CODER_SESSION_TOKEN: "t" },
  });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/CODER_URL: .*AFK_TEST_CODER_TEMPLATE: /s);
  expect(stderr).not.toContain("CODER_SESSION_TOKEN");
});

import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

test("docs/configuration.md is what the schemas say", async () => {
  const script = join(ROOT, "scripts/configuration-reference.ts");
  const { exitCode, stderr } = await execa("tsx", [script, "--check"], {
    preferLocal: true,
    localDir: ROOT,
    reject: false,
  });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
});

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { runInProcess } from "../support/cli/run-in-process.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { type WrongUsage, wrongUsages } from "./wrong-usages.ts";

// The test runs many usages, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000 });

async function run({ words, config, env }: WrongUsage): Promise<Pick<WrongUsage, "exitCode" | "message">> {
  await using directory = await temporaryDirectory();
  if (config !== null) await writeFile(join(directory.path, "config.yml"), config);
  const environment = { PATH: process.env["PATH"] ?? "", HOME: directory.path, ...env };
  const { exitCode, stdout, stderr } = await runInProcess(words, { cwd: directory.path, env: environment });
  expect(stdout).toBe("");
  return {
    exitCode: exitCode ?? 0,
    message: stderr.replaceAll(directory.path, "<dir>").split("\n").join(" ⏎ "),
  };
}

test("each of at least 80 wrong usages ends with the exit code and the message that docs/wrong-usages.md shows", async () => {
  const usages = wrongUsages();
  expect(usages.length).toBeGreaterThanOrEqual(80);
  for (const usage of usages) expect({ ...usage, ...(await run(usage)) }).toEqual(usage);
});

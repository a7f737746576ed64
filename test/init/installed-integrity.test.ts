import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installedIntegrity } from "../../src/init/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test("the integrity is the one that npm recorded for the program's tarball, and empty if npm recorded none", async () => {
  await using directory = await temporaryDirectory();
  const modules = join(directory.path, "node_modules");
  const program = join(modules, "afk-triage/dist/afk-triage.js");
  await mkdir(join(modules, "afk-triage/dist"), { recursive: true });
  const integrity = `sha512-${"A".repeat(86)}==`;
  const note = (packages: object): Promise<void> =>
    writeFile(join(modules, ".package-lock.json"), JSON.stringify({ packages }));
  expect(await installedIntegrity(program)).toBe("");
  await note({ "node_modules/afk-triage": { integrity } });
  expect(await installedIntegrity(program)).toBe(integrity);
  await note({ "node_modules/afk-triage": { integrity: 'sha512-x"; rm -rf /' } });
  expect(await installedIntegrity(program)).toBe("");
  expect(await installedIntegrity("/src/afk-triage/src/cli/commands/init-command.ts")).toBe("");
});

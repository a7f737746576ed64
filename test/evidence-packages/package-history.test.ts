import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { buildPackageHistory, cutPackageHistory } from "./index.ts";

/** Creates the folders that `npm install` would create: one for each version, and a dependency beside them. */
async function fillStore(cache: string, versions: readonly string[]): Promise<void> {
  const modules = join(cache, "left-pad", "node_modules");
  for (const version of versions) {
    const folder = join(modules, `v${version.replaceAll(".", "_")}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "package.json"), JSON.stringify({ name: "left-pad", version }));
  }
  await mkdir(join(modules, "kind-of"));
  await writeFile(join(modules, "kind-of", "package.json"), "{}");
}

test("a package history has one commit and one tag per version, in version order (V10)", async () => {
  await using directory = await temporaryDirectory();
  const cache = join(directory.path, "cache");
  await fillStore(cache, ["1.9.0", "1.10.0", "1.2.0"]);
  const repository = join(directory.path, "repository");
  const history = await buildPackageHistory("left-pad", ["1.10.0", "1.2.0", "1.9.0"], {
    cache,
    directory: repository,
  });
  expect(history.versions).toEqual(["1.2.0", "1.9.0", "1.10.0"]);
  const git = async (...args: string[]): Promise<string> =>
    (await execa("git", args, { cwd: repository })).stdout;
  expect(await git("log", "--reverse", "--format=%s %D")).toBe(
    "left-pad 1.2.0 tag: v1.2.0\nleft-pad 1.9.0 tag: v1.9.0\nleft-pad 1.10.0 HEAD -> main, tag: v1.10.0",
  );
  expect((await git("ls-tree", "-r", "--name-only", "v1.2.0")).split("\n")).toEqual([
    "node_modules/kind-of/package.json",
    "node_modules/left-pad/package.json",
    "package.json",
  ]);
  expect(await git("show", "v1.9.0:node_modules/left-pad/package.json")).toContain('"1.9.0"');
  expect(await readFile(join(repository, "package.json"), "utf8")).toContain('"left-pad": "1.10.0"');
});

test("a cut history has the same commits and ends at the version, or at the newest earlier one (V10)", async () => {
  await using directory = await temporaryDirectory();
  const cache = join(directory.path, "cache");
  await fillStore(cache, ["1.0.0", "1.1.0", "2.0.0"]);
  const whole = join(directory.path, "whole");
  await buildPackageHistory("left-pad", ["1.0.0", "1.1.0", "2.0.0"], { cache, directory: whole });
  const cut = join(directory.path, "products", "cut");
  await cutPackageHistory(whole, "1.5.0", cut);
  const git = async (cwd: string, ...args: string[]): Promise<string> =>
    (await execa("git", args, { cwd })).stdout;
  expect(await git(cut, "rev-parse", "main")).toBe(await git(whole, "rev-parse", "v1.1.0"));
  expect(await git(cut, "tag")).toBe("v1.0.0\nv1.1.0");
});

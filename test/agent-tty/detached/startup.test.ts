import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Binary,
  BUILD_PATIENCE_MS,
  bundledBinary,
  type CommandLine,
  commandLine,
} from "./command-line.ts";

let binary: Binary;
beforeAll(async () => {
  binary = await bundledBinary();
}, BUILD_PATIENCE_MS);
afterAll(() => binary[Symbol.asyncDispose]());

/** Every file of code that a command loads, as Node's own coverage report names them, with its size. */
async function loadedFiles(cli: CommandLine, args: readonly string[]): Promise<Map<string, number>> {
  const directory = join(cli.directory, `coverage-${args[0]}`);
  expect((await cli.start(args, { NODE_V8_COVERAGE: directory })).exitCode).toBe(0);
  const files = new Map<string, number>();
  for (const name of await readdir(directory)) {
    const report = JSON.parse(await readFile(join(directory, name), "utf8")) as { result: { url: string }[] };
    for (const { url } of report.result) {
      if (!url.startsWith("file:")) continue;
      const path = fileURLToPath(url);
      files.set(basename(path), (await stat(path)).size);
    }
  }
  return files;
}

test("a command loads what it needs, for Node compiles all of it at every start (P1)", async () => {
  await using cli = await commandLine(binary);
  const id = await cli.create("echo", "plain text");
  await cli.json(["wait", id, "--exit"]);
  const check = async (args: readonly string[], maxBytes: number): Promise<string[]> => {
    const files = await loadedFiles(cli, args);
    const sizeBytes = [...files.values()].reduce((sum, size) => sum + size, 0);
    expect([args[0], sizeBytes]).toEqual([args[0], Math.min(sizeBytes, maxBytes)]);
    return [...files.keys()];
  };
  await check(["--help"], 110_000);
  await check(["list", "--all"], 185_000);
  await check(["inspect", id], 220_000);
  const shown = await check(["snapshot", id], 450_000);
  expect(shown.filter((name) => /graphemes|canvas|node-pty|koffi|host/.test(name))).toEqual([]);
}, 60_000);

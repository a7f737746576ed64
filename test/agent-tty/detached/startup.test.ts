import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
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

/** The code that a command runs, according to Node's own coverage report. */
interface Loaded {
  files: string[];
  /** The modules of the client bundle that were initialised. */
  modules: string[];
  /** The total size of the initialised modules. */
  sizeBytes: number;
}

async function loadedBy(cli: CommandLine, args: readonly string[]): Promise<Loaded> {
  const directory = join(cli.directory, `coverage-${args[0]}`);
  expect((await cli.start(args, { NODE_V8_COVERAGE: directory })).exitCode).toBe(0);
  const loaded: Loaded = { files: [], modules: [], sizeBytes: 0 };
  for (const name of await readdir(directory)) {
    const { result } = JSON.parse(await readFile(join(directory, name), "utf8")) as CoverageReport;
    for (const { url, functions } of result) {
      if (url.startsWith("node:")) continue;
      loaded.files.push(url);
      if (!url.endsWith("/agent-tty-client.cjs")) continue;
      // The bundler wraps each module in a function that is named after its path.
      for (const { functionName, ranges } of functions) {
        const [range] = ranges;
        if (!/\.[cm]?[jt]s$/.test(functionName) || range === undefined || range.count === 0) continue;
        loaded.modules.push(functionName);
        // The terminal emulator is one large module, of which V8 compiles only what a command runs.
        if (!functionName.includes("@xterm/headless"))
          loaded.sizeBytes += range.endOffset - range.startOffset;
      }
    }
  }
  return loaded;
}

interface CoverageReport {
  result: {
    url: string;
    functions: {
      functionName: string;
      ranges: { startOffset: number; endOffset: number; count: number }[];
    }[];
  }[];
}

test("a command initialises only the modules that it needs, and loads no other file (P1)", async () => {
  await using cli = await commandLine(binary);
  const id = await cli.create("echo", "plain text");
  await cli.json(["wait", id, "--exit"]);
  const check = async (args: readonly string[], maxBytes: number): Promise<Loaded> => {
    const loaded = await loadedBy(cli, args);
    const { sizeBytes } = loaded;
    expect([args[0], sizeBytes]).toEqual([args[0], Math.min(sizeBytes, maxBytes)]);
    return loaded;
  };
  await check(["--help"], 75_000);
  await check(["list", "--all"], 110_000);
  const inspected = await check(["inspect", id], 127_000);
  const shown = await check(["snapshot", id], 145_000);
  expect(inspected.modules.length).toBeGreaterThan(50);
  const isEmulator = (name: string): boolean => name.includes("@xterm/headless");
  expect([inspected.modules.some(isEmulator), shown.modules.some(isEmulator)]).toEqual([false, true]);
  for (const { modules } of [inspected, shown])
    expect(
      modules.filter((name) =>
        /render\/(?:canvas|gif|raster)|host\/hosted|daemon\/host|graphemes/.test(name),
      ),
    ).toEqual([]);
  expect(shown.files.filter((name) => /graphemes|canvas|node-pty|koffi|-host/.test(name))).toEqual([]);
  const { size } = await stat(join(dirname(binary.path), "agent-tty-client.cjs"));
  // 250 kB of it are the terminal emulator and its width table, of which V8 compiles only what a command runs.
  expect(size).toBeLessThan(640_000);
}, 60_000);

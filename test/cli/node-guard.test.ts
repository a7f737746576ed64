import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import vm from "node:vm";
import { stop, transform } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { guardSource } from "../../src/cli/node-guard.ts";

// esbuild runs in a process of its own.
afterAll(() => stop());

const source = guardSource("afk-triage", "./load.cjs");

/** Returns the guard's reaction to a Node of that version. */
function onNode(version: string): { said: string; exitCode: number | null; loaded: boolean } {
  const seen = { said: "", exitCode: null as number | null, loaded: false };
  const ended = new Error("exited");
  const globals = {
    process: {
      versions: { node: version },
      execPath: "/usr/bin/node",
      exit: (code: number) => {
        seen.exitCode = code;
        throw ended;
      },
    },
    console: { error: (line: string) => void (seen.said += `${line}\n`) },
    require: () => void (seen.loaded = true),
  };
  try {
    vm.runInNewContext(source.replace(/^#!.*/, ""), globals);
  } catch (error) {
    if (error !== ended) throw error;
  }
  return seen;
}

test("on an old Node the guard prints the needed and the found version, and loads nothing", async () => {
  for (const version of ["0.10.48", "12.22.0", "18.20.8", "20.18.3"]) {
    const { said, exitCode, loaded } = onNode(version);
    expect({ exitCode, loaded }).toEqual({ exitCode: 1, loaded: false });
    expect(said).toContain(`needs Node 20.19 or newer; this is Node ${version}`);
    expect(said).toContain("What to do: ");
  }
  for (const version of ["20.19.0", "22.1.0", "24.0.0", "100.0.0"])
    expect(onNode(version)).toEqual({ said: "", exitCode: null, loaded: true });
  const manifest = JSON.parse(
    await readFile(join(import.meta.dirname, "../../package.json"), "utf8"),
  ) as object;
  expect(manifest).toMatchObject({ engines: { node: ">=20.19" } });
});

test("the guard is plain ES5", async () => {
  await expect(transform(source, { target: "es5" })).resolves.toBeDefined();
});

test("on this Node the guard loads the program beside it", async () => {
  const directory = await mkdtemp(join(tmpdir(), "afk-"));
  try {
    await writeFile(join(directory, "guard.cjs"), guardSource("../program", "./load.cjs"));
    await writeFile(join(directory, "load.cjs"), "console.log(process.argv[2]);");
    const { stdout } = await promisify(execFile)(process.execPath, [join(directory, "guard.cjs"), "hello"]);
    expect(stdout).toBe("hello\n");
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

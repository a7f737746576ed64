import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

test("afk-triage caches the compiled code of a command, and adds the code of parts that a later run loads (P1)", async () => {
  await using user = await temporaryDirectory();
  const cache = join(user.path, ".cache");
  const run = async (...args: string[]) => {
    const env = { HOME: user.path, XDG_CACHE_HOME: cache };
    const { exitCode, stdout, stderr } = await program.start(args, { cwd: user.path, env });
    expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
    return stdout;
  };
  const kept = async () => {
    const [file = "", ...others] = await readdir(join(cache, "afk-triage"));
    expect(others).toEqual([]);
    return stat(join(cache, "afk-triage", file));
  };

  await run("list", "--help");
  const ofHelp = await kept();
  expect(ofHelp.mode & 0o777).toBe(0o600);
  const listed = await run("list");
  const ofList = await kept();
  expect(ofList.size).toBeGreaterThan(ofHelp.size * 2);
  expect(await run("list")).toBe(listed);
  await run("list", "--help");
  expect(await kept()).toMatchObject({ mtimeMs: ofList.mtimeMs, size: ofList.size });
});

test("afk-triage caches the compiled code of a command that fails, such as a batch with a failed issue (P1)", async () => {
  await using user = await temporaryDirectory();
  const env = { HOME: user.path, XDG_CACHE_HOME: join(user.path, ".cache") };
  const { exitCode } = await program.start(["reap", "--repo", "octo/widgets"], { cwd: user.path, env });
  expect(exitCode).toBe(4);
  expect(await readdir(join(user.path, ".cache/afk-triage"))).toEqual([
    expect.stringMatching(/\.reap\.code$/),
  ]);
});

test("afk-triage caches no compiled code for an unknown command (P1)", async () => {
  await using user = await temporaryDirectory();
  const { exitCode } = await program.start(["lisst"], { cwd: user.path, env: { XDG_CACHE_HOME: user.path } });
  expect(exitCode).toBe(2);
  expect(await readdir(user.path)).toEqual([]);
});

test("only doctor, fleet and serve load the PostgreSQL client, so that the other commands start faster (P1)", async () => {
  const files = (await readdir(program.directory)).filter((file) => file.endsWith(".cjs"));
  const texts = await Promise.all(
    files.map(async (file) => [file, await readFile(join(program.directory, file), "utf8")] as const),
  );
  const parts = new Map(texts);
  const loads = (file: string, seen: Set<string>): boolean => {
    const text = parts.get(file) ?? "";
    seen.add(file);
    if (text.includes("node_modules/pg/lib/client.js")) return true;
    // A dynamic import is built as `exports=require(…)`: it loads nothing at the start of the command.
    return [...text.matchAll(/(?<!exports\d?=)require\("\.\/([\w-]+\.cjs)"\)/g)].some(
      ([, part = ""]) => !seen.has(part) && loads(part, seen),
    );
  };
  const commands = files.flatMap((file) => {
    const name = /^(.+)-command-\w+\.cjs$/.exec(file)?.[1];
    return name === undefined ? [] : [{ name, isLoading: loads(file, new Set()) }];
  });
  expect(commands.length).toBeGreaterThan(20);
  const loading = commands.filter(({ isLoading }) => isLoading).map(({ name }) => name);
  expect(loading.toSorted()).toEqual(["doctor", "fleet", "serve"]);
});

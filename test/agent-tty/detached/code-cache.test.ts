import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { keepCode } from "../../../src/agent-tty/bundle/index.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { BUILD_PATIENCE_MS, bundledBinary } from "./bundled-binary.ts";

/** Returns functions that run agent-tty as a user does, with a new HOME. */
async function openUser() {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory[Symbol.asyncDispose]());
  const binary = await bundledBinary();
  onTestFinished(() => binary[Symbol.asyncDispose]());
  const cache = join(directory.path, ".cache/agent-tty");
  const env = { PATH: process.env["PATH"] ?? "", HOME: directory.path };
  return {
    cache,
    home: directory.path,
    run: (args: readonly string[]) => binary.start(args, { cwd: directory.path, env }),
    list: (added = {}) => binary.start(["list"], { cwd: directory.path, env: { ...env, ...added } }),
    kept: async () => (await readdir(cache)).map((name) => join(cache, name)),
  };
}

test(
  "agent-tty keeps the compiled code of a command in the user's private cache and runs with it (P1)",
  { timeout: BUILD_PATIENCE_MS },
  async () => {
    const user = await openUser();
    const first = await user.list();
    expect(first).toMatchObject({ exitCode: 0, stderr: "" });
    const [file = "", ...others] = await user.kept();
    expect(others).toEqual([]);
    const { mode, mtimeMs } = await stat(file);
    expect(mode & 0o777).toBe(0o600);
    expect(await user.list()).toEqual(first);
    expect((await stat(file)).mtimeMs).toBe(mtimeMs);
  },
);

test(
  "agent-tty replaces compiled code that is damaged or that others may write (P1, S17)",
  { timeout: BUILD_PATIENCE_MS },
  async () => {
    const user = await openUser();
    const first = await user.list();
    const [file = ""] = await user.kept();
    const code = await readFile(file);
    await writeFile(file, "damaged");
    expect(await user.list()).toEqual(first);
    expect((await readFile(file)).length).toBeGreaterThan(code.length / 2);
    await chmod(file, 0o666);
    await writeFile(join(user.cache, "client-0.0-x64-1-1.list.code"), "of an older version");
    const host = join(user.cache, "host-0.0-x64-1-1.host.code");
    await writeFile(host, "of the other bundle");
    expect(await user.list()).toEqual(first);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await user.kept()).toSorted()).toEqual([file, host]);
  },
);

test(
  "agent-tty keeps the compiled code of host processes when one has ended (P2)",
  { timeout: BUILD_PATIENCE_MS },
  async () => {
    const user = await openUser();
    const created = await user.run(["create", "--json", "--", "true"]);
    expect(created).toMatchObject({ exitCode: 0 });
    const host = async (): Promise<string | undefined> =>
      (await user.kept()).find((file) => /\/host-[^/]+\.host\.code$/.test(file));
    await vi.waitUntil(host, { timeout: 20_000 });
    expect(await user.run(["create", "--json", "--", "true"])).toMatchObject({ exitCode: 0 });
  },
);

test(
  "agent-tty works without a directory for compiled code (P1)",
  { timeout: BUILD_PATIENCE_MS },
  async () => {
    const user = await openUser();
    await writeFile(join(user.home, ".cache"), "no directory");
    expect(await user.list()).toMatchObject({ exitCode: 0, stderr: "" });
    await mkdir(join(user.home, "other"));
    expect(await user.list({ XDG_CACHE_HOME: join(user.home, "other") })).toMatchObject({ exitCode: 0 });
    expect(await readdir(join(user.home, "other/agent-tty"))).toHaveLength(1);
  },
);

const CODE = new Map([["./part.cjs", Buffer.from("code")]]);

test("compiled code is stored in a HOME that exists, and a missing HOME is not created (P2)", async () => {
  await using directory = await temporaryDirectory();
  const cache = join("home", ".cache", "agent-tty", "host-1.host.code");
  keepCode(join(directory.path, cache), CODE);
  expect(await readdir(directory.path)).toEqual([]);
  await mkdir(join(directory.path, "home"));
  keepCode(join(directory.path, cache), CODE);
  expect(await readFile(join(directory.path, cache), "utf8")).toBe('[["./part.cjs",4]]\ncode');
});

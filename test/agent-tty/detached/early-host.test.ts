import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Binary, BUILD_PATIENCE_MS, bundledBinary, commandLine, processGone } from "./command-line.ts";

let binary: Binary;
beforeAll(async () => {
  binary = await bundledBinary();
}, BUILD_PATIENCE_MS);
afterAll(() => binary[Symbol.asyncDispose]());

test("a host process whose stdin closes without a spec exits silently (P2)", async () => {
  await using cli = await commandLine(binary);
  const argv = [binary.path, "__host"];
  const options = { input: "", reject: false, env: cli.env, extendEnv: false } as const;
  const { exitCode, stdout, stderr } = await execa(process.execPath, argv, options);
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 1, stdout: "", stderr: "" });
});

test("create with wrong usage reports the error and creates no home (P2)", async () => {
  await using cli = await commandLine(binary);
  const { exitCode, stderr } = await cli.start(["create", "--cols", "x", "--", "true"]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: 'agent-tty create: --cols takes a whole number from 1, not "x". Correct the flag',
  });
  expect(existsSync(cli.home)).toBe(false);
});

test("only create gets a host process before its command line is loaded, and a host that no Session takes is ended (P2)", async () => {
  await using cli = await commandLine(binary);
  // Replaces the command line: it prints which host process it was given, and does not take it.
  await writeFile(
    join(dirname(binary.path), "agent-tty-client.cjs"),
    "exports.main = async (argv, host) => { console.log(host === null ? 'none' : host.process.pid); return 2; };",
  );
  const created = await cli.start(["create", "--", "true"]);
  expect(created).toMatchObject({ exitCode: 2, stdout: expect.stringMatching(/^\d+$/) as string });
  await processGone(Number(created.stdout));
  expect(await cli.start(["list"])).toMatchObject({ exitCode: 2, stdout: "none" });
});

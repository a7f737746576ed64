import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Binary, BUILD_PATIENCE_MS, bundledBinary, type Ended } from "../detached/bundled-binary.ts";
import { type Engine, engine } from "../engine-fixture.ts";

const ROOT = join(import.meta.dirname, "../../..");
let binary: Binary;
beforeAll(async () => {
  binary = await bundledBinary();
}, BUILD_PATIENCE_MS);
afterAll(() => binary[Symbol.asyncDispose]());

const run = (started: Engine, args: readonly string[]): Promise<Ended> =>
  binary.command(args, {
    cwd: started.directory,
    env: { ...started.env, AGENT_TTY_HOME: started.home.directory },
  });

const resultOf = (output: string): Record<string, unknown> =>
  (JSON.parse(output) as { result: Record<string, unknown> }).result;

test("gc, doctor, home and skills work from the command line (A22)", async () => {
  await using started = await engine();
  const ended = await started.create({ command: ["true"] });
  await ended.exited;
  const [dry, doctor, bad] = await Promise.all([
    run(started, ["gc", "--dry-run", "--json"]),
    run(started, ["doctor", "--json"]),
    run(started, ["gc", "--older-than", "yesterday", "--json"]),
  ]);
  // A number without a unit is not taken for milliseconds: that would remove everything.
  expect(await run(started, ["gc", "--older-than", "7"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/with its unit.* not "7"/) as string,
  });
  expect(resultOf(dry.stdout)).toMatchObject({ dryRun: true, removed: [{ sessionId: ended.id }], kept: [] });
  expect(resultOf(doctor.stdout)["checks"]).toContainEqual(
    expect.objectContaining({ name: "pty", status: "ok" }),
  );
  expect(bad.exitCode).toBe(2);
  const gc = await run(started, ["gc"]);
  expect(gc.stdout).toBe("removed 1 Session, kept 0");
  const homes = await run(started, ["home", "list", "--json"]);
  expect(resultOf(homes.stdout)["homes"]).toMatchObject([{ directory: started.home.directory, sessions: 0 }]);
  const registry = await stat(join(started.directory, ".agent-tty/homes"));
  expect(registry.mode & 0o777).toBe(0o700);
  const [forgotten, skill] = await Promise.all([
    run(started, ["home", "forget", started.home.directory, "--json"]),
    run(started, ["skills", "get", "agent-tty"]),
  ]);
  expect(resultOf(forgotten.stdout)).toMatchObject({ forgotten: true });
  expect(skill.stdout).toBe((await readFile(join(ROOT, "skills/agent-tty/SKILL.md"), "utf8")).trimEnd());
});

test("control characters in names and messages are escaped on the terminal (S10)", async () => {
  await using started = await engine();
  const hostile = "\x1b]0;title\x07\x9b31m\u202Egnp.exe\r\n::set-output";
  const session = await started.create({ command: ["cat"], name: hostile });
  const [list, json, inspect, error] = await Promise.all([
    run(started, ["list"]),
    run(started, ["list", "--json"]),
    run(started, ["inspect", session.id]),
    run(started, ["inspect", hostile]),
  ]);
  for (const { stdout, stderr } of [list, json, inspect, error]) {
    // oxlint-disable-next-line no-control-regex
    expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(`${stdout}${stderr}`).not.toMatch(/^::/m);
  }
  expect(resultOf(json.stdout)["sessions"]).toMatchObject([{ name: hostile }]);
});

test("an error is two sentences, of which the remedy also begins in upper case (A14)", async () => {
  await using started = await engine();
  expect((await run(started, ["list", "--home", "/dev/null"])).stderr).toMatch(
    /^agent-tty list: .*it is not a directory\. Choose a directory/,
  );
});

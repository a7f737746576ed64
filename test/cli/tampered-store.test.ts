import { join } from "node:path";
import Database from "libsql";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openProgramStage } from "../support/batch/program-stage.ts";

// The tests start the real program, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

test("list and show print a tampered store's text inert, and make bidirectional controls visible (S23)", async () => {
  await using stage = await openProgramStage(program);
  await stage.open("proposing needs-info");
  await stage.run(["run"]);
  const database = new Database(join(stage.home, "store.sqlite"));
  const reason = "x\u001b]0;owned\u0007\u009b6n\u202elive\n::add-mask::y";
  database.prepare("UPDATE runs SET end = json_set(end, '$.reason', ?)").run(reason);
  database.prepare("UPDATE runs SET issue = json_set(issue, '$.title', ?)").run(reason);
  database.close();
  for (const args of [["list"], ["show", "1"]]) {
    const { stdout, stderr } = await stage.run(args);
    expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(`${stdout}${stderr}`).toContain("live");
    expect(stderr).toContain("[U+202E]");
    expect(stderr).not.toMatch(/^::/m);
  }
});

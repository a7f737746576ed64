import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Binary, BUILD_PATIENCE_MS, bundledBinary, commandLine, processGone } from "./command-line.ts";

const SHELL = ["bash", "--norc"];
let binary: Binary;
beforeAll(async () => {
  binary = await bundledBinary();
}, BUILD_PATIENCE_MS);
afterAll(() => binary[Symbol.asyncDispose]());

describe("batch on live Sessions", { timeout: 90_000 }, () => {
  test("batch anchors each wait after the input before it and reports every step (A19)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create(...SHELL);
    const good = [
      { run: "echo marker" },
      { type: "echo again\n" },
      { wait: { text: "again" } },
      { run: "sleep 9", noWait: true },
      { sendKeys: ["Ctrl+C"] },
    ];
    const done = await cli.json(["batch", id, JSON.stringify(good)]);
    expect(done).toMatchObject({ exitCode: 0, result: { completedCount: 5, failedIndices: [] } });
    expect(done.result["steps"]).toMatchObject([
      { index: 0, kind: "run", status: "completed", exitCode: 0, runOutcome: "completed" },
      { kind: "type" },
      { kind: "wait", matchedText: "again", screenHash: expect.stringMatching(/^[0-9a-f]{16,}$/) as string },
      { kind: "run", noWait: true, runOutcome: "started" },
      { kind: "sendKeys" },
    ]);
    const bad = JSON.stringify([{ wait: { text: "nowhere", timeout: 30 } }, { type: "x" }]);
    const stopped = await cli.json(["batch", id, bad]);
    expect(stopped).toMatchObject({
      ok: true,
      exitCode: 11,
      result: { completedCount: 0, failedIndices: [0] },
    });
    expect(stopped.result["steps"]).toMatchObject([
      {
        status: "failed",
        error: {
          code: "WAIT_TIMED_OUT",
          retryable: true,
          remedy: expect.stringContaining("timeout") as string,
        },
      },
      { status: "not-run" },
    ]);
    const kept = await cli.json(["batch", id, bad, "--keep-going"]);
    expect(kept).toMatchObject({ exitCode: 1, result: { completedCount: 1, failedIndices: [0] } });
    await writeFile(join(cli.directory, "steps.json"), "[]");
    for (const steps of [
      ["--file", "steps.json"],
      ["nonsense"],
      ['[{"type":"a","run":"b"}]'],
      ['[{"wait":{}}]'],
      ['[{"fly":1}]'],
    ])
      expect(await cli.json(["batch", id, ...steps])).toMatchObject({
        exitCode: 2,
        error: { code: "USAGE" },
      });
  });

  test("batch names the verbs and keys of a step beside what arrived (A14)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create("cat");
    const check = async (step: object, says: string): Promise<void> => {
      expect((await cli.json(["batch", id, JSON.stringify([step])])).error.message).toContain(says);
    };
    await check({ mark: "x" }, "step 0 takes one of type, paste, sendKeys, run and wait, not mark");
    await check({}, "not nothing");
    await check({ type: "a", run: "b" }, "not type and run");
    await check({ wait: { timeoutMs: 200 } }, 'timeoutMs" (known keys: text, regex, ');
    await check({ run: "x", no: 1 }, 'no" (known keys: run, noWait, timeout)');
  });

  test("a batch that SIGTERM stops still reports its steps (A14)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create("cat");
    const steps = JSON.stringify([{ type: "sent\n" }, { wait: { text: "never" } }]);
    const batch = execa(process.execPath, [binary.path, "batch", id, steps, "--json"], {
      reject: false,
      env: cli.env,
      extendEnv: false,
    });
    await cli.json(["wait", id, "--text", "sent"]);
    batch.kill("SIGTERM");
    const { exitCode, stdout } = await batch;
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([
      143,
      { result: { steps: [{ status: "completed" }, { status: "interrupted" }] } },
    ]);
  });

  test("batch says of every step behind the end of the Session that it does not run any more (A13)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create(...SHELL);
    const { hostPid } = await cli.manifest(id);
    const steps = JSON.stringify([{ run: "exit 3" }, { type: "x" }, { run: "true" }, { type: "y" }]);
    const done = await cli.json(["batch", id, steps, "--keep-going"]);
    await processGone(hostPid);
    const records = done.result["steps"] as { error?: { code: string } }[];
    const codes = records.map(({ error }) => error?.code);
    expect(codes).toEqual(Array.from({ length: 4 }, () => "SESSION_NOT_RUNNING"));
    expect(records[0]).toMatchObject({
      status: "failed",
      error: { retryable: false, details: { exit: { code: 3 } } },
    });
    expect(done.result).toMatchObject({ completedCount: 0, failedIndices: [0, 1, 2, 3] });
    const other = await cli.create(...SHELL);
    const ended = await cli.json(["batch", other, JSON.stringify([{ run: "exit 3" }])]);
    expect(ended).toMatchObject({ ok: true, exitCode: 4 });
  });
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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

/** Starts a GitHub that accepts requests and never answers. */
async function silentGithub(): Promise<AsyncDisposable & { url: string; asked: Promise<void> }> {
  const server = createServer();
  const asked = new Promise<void>((resolve) => server.once("request", () => resolve()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a closed terminal stops the command gracefully: it ends with 143, not by a signal (T5)", async () => {
  await using stage = await openProgramStage(program);
  await using github = await silentGithub();
  const running = stage.startOnTerminal(["run"], { GITHUB_API_URL: github.url });
  await github.asked;
  running.hangUp();
  expect(await running.ended).toEqual({ exitCode: 143, signal: 0 });
});

test("a signal before any work has begun leads to its exit code, not to an error", async () => {
  await using stage = await openProgramStage(program);
  for (const [signal, exitCode] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 143],
  ] as const) {
    await using github = await silentGithub();
    const running = stage.start(["run"], { GITHUB_API_URL: github.url });
    await github.asked;
    running.kill(signal);
    expect(await running).toMatchObject({
      exitCode,
      stdout: "",
      stderr: expect.stringMatching(/stopped before there was anything to report$/) as string,
    });
  }
});

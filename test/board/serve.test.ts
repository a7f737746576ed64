import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type BuiltProgram, buildProgram, type RunningProgram } from "../support/batch/program.ts";
import { poll } from "../support/batch/poll.ts";
import { watchLines } from "../support/batch/watched-lines.ts";
import { isPrivateTerminal } from "../../src/board/source/index.ts";
import { runInProcess } from "../support/cli/run-in-process.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

// Many starts of the program per test, possibly on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

function serve(home: string, ...args: string[]): RunningProgram {
  return program.start(...argumentsOf(home, args));
}

function argumentsOf(home: string, args: readonly string[]) {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "",
  };
  return [["serve", "--home", join(home, "home"), ...args], { cwd: home, env }] as const;
}

/**
 * Resolves when the program listens, with the URL from stderr and the token from its file. Returns an object, because a running
 * program is a promise too.
 */
async function listening(
  home: string,
  ...args: string[]
): Promise<{ running: RunningProgram; url: URL; base: string }> {
  const running = serve(home, "--port", "0", ...args);
  const line = await watchLines(running).until(/^board: http/);
  const url = new URL(/http\S+/.exec(line)?.[0] ?? "");
  expect(url.search).toBe("");
  url.searchParams.set("token", (await readFile(join(home, "home", "board-token"), "utf8")).trim());
  return { running, url, base: url.origin };
}

test("serve prints the board's address and token file on stderr, and no token if stdout is not a terminal (O22, S17)", async () => {
  await using directory = await temporaryDirectory();
  const { running, url, base } = await listening(directory.path);
  const token = url.searchParams.get("token") ?? "";
  expect([url.hostname, token]).toEqual(["127.0.0.1", expect.stringMatching(/^[0-9a-f]{64}$/)]);
  const runs = await fetch(`${base}/api/runs`, { headers: { Authorization: `Bearer ${token}` } });
  expect([runs.status, await runs.json()]).toEqual([
    200,
    { schema: "afk-triage/board-runs@1", seq: 0, runs: [], total: 0, next: null, damaged: [] },
  ]);
  expect((await fetch(`${base}/api/runs`)).status).toBe(401);
  // Reading created only the token.
  const home = join(directory.path, "home");
  expect(await readdir(home)).toEqual(["board-token"]);
  expect(((await stat(join(home, "board-token"))).mode & 0o777).toString(8)).toBe("600");
  running.kill("SIGINT");
  const { exitCode, stdout, stderr } = await running;
  expect(exitCode).toBe(130);
  expect(JSON.parse(stdout)).toEqual({
    schema: "afk-triage/serve@1",
    url: `${base}/`,
    port: Number(url.port),
  });
  expect(stderr).toContain(join(home, "board-token"));
  expect(`${stdout}${stderr}`).not.toContain(token);
});

test("the URL stays valid after a restart until --new-token is used, and SIGTERM ends the board with exit code 143 (S17)", async () => {
  await using directory = await temporaryDirectory();
  const tokens: string[] = [];
  for (const args of [[], [], ["--new-token"]]) {
    const { running, url } = await listening(directory.path, ...args);
    tokens.push(url.searchParams.get("token") ?? "");
    running.kill("SIGTERM");
    expect((await running).exitCode).toBe(143);
  }
  expect(tokens[1]).toBe(tokens[0]);
  expect(tokens[2]).not.toBe(tokens[0]);
  expect((await readFile(join(directory.path, "home", "board-token"), "utf8")).trim()).toBe(tokens[2]);
});

test("a closing board notifies its readers and exits at once (O22)", async () => {
  await using directory = await temporaryDirectory();
  const { running, url, base } = await listening(directory.path);
  const headers = { Authorization: `Bearer ${url.searchParams.get("token")}` };
  const changes = await fetch(`${base}/api/changes`, { headers });
  const text = changes.text();
  await poll("the stream", () => changes.ok);
  running.kill("SIGTERM");
  expect(await text).toContain(": the board is closing");
  expect((await running).exitCode).toBe(143);
});

test("a taken port, a non-loopback address and malformed arguments are refused with a remedy (S17)", async () => {
  await using directory = await temporaryDirectory();
  const { running, url } = await listening(directory.path);
  const rows: [args: string[], exitCode: number, stderr: RegExp][] = [
    [["--port", url.port], 4, /BOARD_PORT_TAKEN.*\nWhat to do: .*--port/],
    [
      ["--host", "0.0.0.0", "--port", "0"],
      2,
      /BOARD_ADDRESS_REFUSED.*not a loopback address\nWhat to do: .*ssh -L/,
    ],
    [["--host", "localhost", "--port", "0"], 2, /BOARD_ADDRESS_REFUSED/],
    [["--port", "65536"], 2, /65535/],
    [["--port", "x"], 2, /whole number/],
    [["--open"], 2, /unknown option/],
  ];
  for (const [args, exitCode, stderr] of rows) {
    const ended = await runInProcess(...argumentsOf(directory.path, args));
    expect([args, ended.exitCode, ended.stdout, ended.stderr]).toEqual([
      args,
      exitCode,
      "",
      expect.stringMatching(stderr),
    ]);
  }
  running.kill("SIGINT");
  await running;
});

test("the token is printed only on a terminal whose output is not recorded by CI or a Session (S17)", () => {
  expect(isPrivateTerminal(true, {})).toBe(true);
  expect(isPrivateTerminal(true, { CI: "false" })).toBe(true);
  expect(isPrivateTerminal(false, {})).toBe(false);
  expect(isPrivateTerminal(true, { CI: "true" })).toBe(false);
  expect(isPrivateTerminal(true, { AGENT_TTY_SESSION_ID: "01J9Z6Q0" })).toBe(false);
});

import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPaint, fleetStatusLines, processOutput, usesColour } from "../../src/cli/output/index.ts";
import type { FleetStatus } from "../../src/fleet/index.ts";
import { describeFact } from "../../src/home/index.ts";
import { runInProcess } from "../support/cli/run-in-process.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

function streams(
  isTTY: boolean,
  { columns = 80, env = {} }: { columns?: number; env?: NodeJS.ProcessEnv } = {},
) {
  const written = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof written) => ({
    isTTY,
    columns,
    write: (text: string): boolean => {
      written[name] += text;
      return true;
    },
  });
  return { written, streams: { stdout: stream("stdout"), stderr: stream("stderr"), env } };
}

test("stdout carries the answer on a terminal, and the document in a pipe and with --json", () => {
  const rows: [isTTY: boolean, asJson: boolean, stdout: string, stderr: string][] = [
    [true, false, "for people\n", "progress\n"],
    [true, true, '{\n  "schema": "x"\n}\n', '{"type":"notice","message":"progress"}\n'],
    [false, false, '{\n  "schema": "x"\n}\n', "progress\nfor people\n"],
    [false, true, '{\n  "schema": "x"\n}\n', '{"type":"notice","message":"progress"}\n'],
  ];
  for (const [isTTY, asJson, stdout, stderr] of rows) {
    const { written, streams: given } = streams(isTTY);
    const output = processOutput({ asJson }, given);
    output.line("progress");
    output.answer(["for people"]);
    output.document({ schema: "x" });
    expect({ isTTY, asJson, ...written }).toEqual({ isTTY, asJson, stdout, stderr });
  }
});

test("an answer is as wide as its terminal, and its width is unlimited without a terminal", () => {
  const width = (isTTY: boolean): number =>
    processOutput({ asJson: false }, streams(isTTY).streams).answerColumns;
  expect([width(true), width(false)]).toEqual([80, Number.POSITIVE_INFINITY]);
});

test("an error and a notice break only between words on a terminal, and keep their line in a pipe and as JSON", () => {
  const text = "afk-triage: GITHUB_TOKEN_MISSING: sign in: neither GITHUB_TOKEN nor AFK_TRIAGE_APP_ID is set";
  const remedy = `  What to do: see https://example.test/${"long".repeat(12)}`;
  const written = (isTTY: boolean, asJson: boolean): string[] => {
    const given = streams(isTTY, { columns: 50 });
    processOutput({ asJson }, given.streams).line(`${text}\n${remedy}`);
    return given.written.stderr.trimEnd().split("\n");
  };
  expect(written(true, false)).toEqual([
    "afk-triage: GITHUB_TOKEN_MISSING: sign in: neither",
    "GITHUB_TOKEN nor AFK_TRIAGE_APP_ID is set",
    "  What to do: see",
    `  https://example.test/${"long".repeat(12)}`,
  ]);
  expect(written(false, false)).toEqual([text, remedy]);
  expect(written(true, true)).toHaveLength(1);
});

test("a terminal that tells no size counts as one of the usual width, and is not redrawn (T13)", () => {
  const output = processOutput({ asJson: false }, streams(true, { columns: 0 }).streams);
  expect([output.columns, output.answerColumns, output.isRedrawable]).toEqual([100, 100, false]);
});

test("progress is redrawn on a terminal only, and not on a dumb one (T13)", () => {
  const isRedrawable = (isTTY: boolean, env: NodeJS.ProcessEnv): boolean =>
    processOutput({ asJson: false }, streams(isTTY, { env }).streams).isRedrawable;
  expect(isRedrawable(true, { TERM: "xterm" })).toBe(true);
  expect(isRedrawable(true, { TERM: "dumb" })).toBe(false);
  expect(isRedrawable(false, { TERM: "xterm" })).toBe(false);
});

test("a home that is not there is named by what only looks into it, and is not made", async () => {
  await using directory = await temporaryDirectory();
  const home = join(directory.path, "typo");
  const place = { cwd: directory.path, env: { PATH: process.env["PATH"] ?? "", HOME: directory.path } };
  const rows: [words: string[], says: string][] = [
    [["list"], `no Triage Run yet in ${home}`],
    [["status"], `no Triage Run is in progress in ${home}`],
    [["eval"], `no outcomes are recorded yet in ${home}`],
    [["list", "--repo", "o/r"], `no Triage Run of o/r yet in ${home}`],
    [["status", "--repo", "o/r"], `no Triage Run of o/r is in progress in ${home}`],
    [["eval", "--repo", "o/r"], `no outcomes of o/r are recorded yet in ${home}`],
    [["autonomy", "--repo", "o/r"], "o/r"],
  ];
  for (const [words, says] of rows) {
    const { exitCode, stderr } = await runInProcess([...words, "--home", home], place);
    expect([words, exitCode, stderr]).toEqual([words, 0, expect.stringContaining(says)]);
  }
  expect(await readdir(directory.path)).toEqual([]);
});

test("colour follows FORCE_COLOR, then NO_COLOR, then the terminal", () => {
  const rows: [NodeJS.ProcessEnv, isTerminal: boolean, expected: boolean][] = [
    [{}, true, true],
    [{}, false, false],
    [{ TERM: "dumb" }, true, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
  ];
  for (const [env, isTerminal, expected] of rows)
    expect([env, isTerminal, usesColour(env, isTerminal)]).toEqual([env, isTerminal, expected]);
});

test("the colours avoid yellow and white, which are invisible on a light terminal", () => {
  const paint = createPaint(true);
  const tones = ["good", "bad", "attention", "quiet", "strong", "plain"] as const;
  for (const tone of tones) expect(paint(tone, "x")).not.toMatch(/\u001b\[(?:[34]?[37]|9\d|10\d)m/);
});

test("empty values are omitted from sentences: policy, waiting visits, workers", () => {
  const decided = { type: "decided", outcome: "needs-triage", policy: [] as string[] } as const;
  const told = describeFact({ action: "run", fact: decided } as unknown as Parameters<
    typeof describeFact
  >[0]);
  expect(told).toBe("decided needs-triage");
  const status: FleetStatus = {
    month: "2026-11",
    waiting: 0,
    running: 1,
    oldestMs: 0,
    workers: 1,
    caps: { perRepository: 1, perOwner: 1 },
    budget: {} as FleetStatus["budget"],
    repositories: [],
  };
  expect(fleetStatusLines(status, { isShared: false })[0]).toBe("queue: 0 wait, 1 run");
  expect(
    fleetStatusLines({ ...status, waiting: 2, oldestMs: 5_000, workers: 3 }, { isShared: true })[0],
  ).toBe("queue: 2 wait, 1 run, 3 workers; the oldest has been due for 5 s");
});

test("every command that needs no network prints no JSON on a terminal, and a document in a pipe and with --json", async () => {
  await using directory = await temporaryDirectory();
  await writeFile(join(directory.path, "afk-triage.yml"), "provider: local\nrepos: [o/r]\n");
  const place = {
    cwd: directory.path,
    env: { PATH: process.env["PATH"] ?? "", HOME: directory.path, NO_COLOR: "1" },
  };
  const commands = ["config --config afk-triage.yml", "status", "list", "doctor --config afk-triage.yml"];
  for (const command of commands) {
    const args = command.split(" ");
    const shown = await runInProcess(args, { ...place, terminalColumns: 80 });
    expect({ command, stdout: shown.stdout }).toEqual({
      command,
      stdout: expect.stringMatching(/^(?![^]*^[{[])[^]+$/m) as string,
    });
    for (const asked of [
      await runInProcess(args, place),
      await runInProcess([...args, "--json"], { ...place, terminalColumns: 80 }),
    ])
      expect(JSON.parse(asked.stdout)).toMatchObject({
        schema: expect.stringMatching(/^afk-triage\//) as string,
      });
  }
});

test("answers and usage errors in prose are broken between words on a narrow terminal", async () => {
  await using directory = await temporaryDirectory();
  const place = {
    cwd: directory.path,
    env: { PATH: process.env["PATH"] ?? "", HOME: directory.path, NO_COLOR: "1" },
  };
  const commands = [
    "list",
    "status",
    "eval",
    "prune --dry-run",
    "run --issue x",
    "run --deadline 45",
    "show",
  ];
  for (const command of commands) {
    const { stdout, stderr } = await runInProcess(command.split(" "), { ...place, terminalColumns: 40 });
    const wide = `${stdout}${stderr}`.split("\n").filter((line) => line.length > 40 && line.includes(" "));
    expect({ command, wide }).toEqual({ command, wide: [] });
  }
});

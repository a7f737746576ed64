import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { writeHandmade, writeHandmadeSamples } from "./handmade.ts";
import { type Ended, runScript } from "./run-script.ts";

test("recordings of both formats are replayed and scored, whatever their paths and names are (H4)", async () => {
  await using directory = await temporaryDirectory();
  const inside = join(directory.path, "deeper", "still");
  await mkdir(inside, { recursive: true });
  await writeHandmade(inside, "agreeing");
  await writeHandmadeSamples(directory.path, "ready");
  await writeFile(join(directory.path, "notes.txt"), "no case");
  const predictions = join(directory.path, "predictions.jsonl");
  const { exitCode, report } = await conformance(directory.path, "--json", "--predictions", predictions);
  expect({ exitCode, holds: report.holds, missed: report.missedThresholds }).toEqual({
    exitCode: 0,
    holds: true,
    missed: [],
  });
  expect(report.files.map(({ file, status }) => [file, status])).toEqual([
    ["deeper/still/handmade-agreeing.rec.jsonl", "tracked"],
    ["notes.txt", "not-covered"],
    ["of-any-name-ready.json", "tracked"],
  ]);
  const { successLatencyMs, ...figures } = report.summary;
  expect(figures).toEqual({ falseReady: 0, phaseAccuracy: 1, lastResultAccuracy: 1 });
  expect(successLatencyMs.p95).toBeGreaterThan(0);
  expect(successLatencyMs.p95).toBeLessThanOrEqual(1_500);
  const told = (await readFile(predictions, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(Object.keys(told[0] ?? {})).toEqual([
    "recording",
    "t_ms",
    "phase",
    "last_result",
    "accepting_input",
    "editing_input",
    "ready_posture",
    "availability",
  ]);
});

test("a truth that contradicts the tracker fails, with the screen and its evidence (H4)", async () => {
  await using directory = await temporaryDirectory();
  await writeHandmade(directory.path, "contradicting");
  await writeHandmadeSamples(directory.path, "active");
  const { exitCode, report } = await conformance(directory.path, "--json");
  expect(exitCode).toBe(1);
  expect(report.summary.falseReady).toBeGreaterThan(0);
  expect(report.missedThresholds.join()).toContain("ready or success while active");
  const [handmade, samples] = report.files;
  expect(handmade?.differences?.[0]).toMatchObject({ expected: "active", faults: ["phase", "false-ready"] });
  expect(handmade?.differences?.[0]?.screen.join("\n")).toContain("✻ Baked for 5s");
  expect(samples?.counts?.asserted).toMatchObject({ cases: 4, passed: 3, differs: 1 });
});

test("a recording without a truth is listed and a damaged one is named; neither causes a crash", async () => {
  await using directory = await temporaryDirectory();
  await writeHandmade(directory.path, "agreeing");
  const [recording, truth] = ["rec.jsonl", "truth.json"].map((end) =>
    join(directory.path, `handmade-agreeing.${end}`),
  );
  await writeFile(join(directory.path, "alone.rec.jsonl"), await readFile(recording ?? ""));
  await writeFile(join(directory.path, "torn.rec.jsonl.gz"), "not a gzip file");
  await writeFile(join(directory.path, "widow.truth.json"), await readFile(truth ?? ""));
  const { exitCode, report } = await conformance(directory.path, "--json");
  expect(exitCode).toBe(1);
  expect(report.files.map(({ file, status, truth: read }) => [file, status, read])).toEqual([
    ["alone.rec.jsonl", "tracked", "missing"],
    ["handmade-agreeing.rec.jsonl", "tracked", "read"],
    ["torn.rec.jsonl.gz", "unreadable", undefined],
    ["widow.truth.json", "not-covered", undefined],
  ]);
});

test("--show prints everything about one moment of a recording: screen, cursor, title, signals, state", async () => {
  await using directory = await temporaryDirectory();
  await writeHandmade(directory.path, "agreeing");
  const { stdout } = await run(directory.path, "--show", "handmade-agreeing@5000");
  expect(stdout).toMatch(/ 2 │✻ Counting… \(2s/);
  expect(stdout).toMatch(/cursor row \d+, column \d+/);
  expect(stdout).toContain('"phase": "active"');
  expect((await run(directory.path, "--show", "nothing@1")).exitCode).toBe(2);
});

interface Report {
  holds: boolean;
  summary: {
    falseReady: number;
    phaseAccuracy: number;
    lastResultAccuracy: number;
    successLatencyMs: { p50: number; p95: number };
  };
  missedThresholds: string[];
  files: {
    file: string;
    status: string;
    truth?: string;
    differences?: { expected: string; faults: string[]; screen: string[] }[];
    counts?: { asserted: Record<string, number> };
  }[];
}

async function conformance(...argv: string[]): Promise<{ exitCode: number; report: Report }> {
  const { exitCode, stdout } = await run(...argv);
  return { exitCode, report: JSON.parse(stdout) as Report };
}

function run(...argv: string[]): Promise<Ended> {
  return runScript("conformance/command-line.ts", "conformance", argv);
}

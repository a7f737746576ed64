import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dirname, "../..");
const jsonLines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const titles = ["crash on empty file", "dark theme", "empty file crashes", "empty file crash again"];

test("npm run duplicates offers each query only earlier issues, and scores the results (D3)", async () => {
  await using folder = await temporaryDirectory();
  await mkdir(join(folder.path, "tiny"));
  const docs = titles.map((title, at) => ({
    id: `i${at}`,
    title,
    body: null,
    created: "2026-01-01T00:00:00Z",
  }));
  const queries = [
    { id: "i2", duplicatesOf: ["i0"] },
    { id: "i1", duplicatesOf: ["i0"] },
    { id: "i0", duplicatesOf: [], weight: 2 },
  ];
  await writeFile(join(folder.path, "tiny/docs.jsonl"), jsonLines(docs));
  await writeFile(join(folder.path, "tiny/queries.jsonl"), jsonLines(queries));
  const predictions = join(folder.path, "predictions");
  const script = [join(ROOT, "scripts/duplicates.ts"), folder.path, "--json", "--predictions", predictions];
  const { stdout } = await execa("tsx", script, { preferLocal: true, localDir: ROOT });
  expect(JSON.parse(stdout)).toEqual([
    expect.objectContaining({
      tracker: "tiny",
      issues: 4,
      duplicateQueries: 2,
      recallAt1: 0.5,
      recallAt10: 0.5,
    }),
  ]);
  expect(await readFile(join(predictions, "tiny.jsonl"), "utf8")).toBe(
    jsonLines([
      { query: "i0", results: [] },
      { query: "i1", results: [] },
      { query: "i2", results: ["i0"] },
    ]),
  );
});

test("npm run duplicates names the missing files if a folder contains no tracker (D3)", async () => {
  await using folder = await temporaryDirectory();
  const script = [join(ROOT, "scripts/duplicates.ts"), folder.path];
  const { exitCode, stderr } = await execa("tsx", script, {
    preferLocal: true,
    localDir: ROOT,
    reject: false,
  });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("looked for docs.jsonl or docs.jsonl.gz")]);
});

/**
 * `npm run bench:duplicates`: the issue index at 100,000 issues (D4): time and CPU to build, size, CPU of a search and of an
 * update, memory. `--issues N`, `--queries N`; with `--json FILE` the rows are written there. About two minutes on an idle
 * machine. Exit code 0 also when a row is not met.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { buildIndex, searchIndex, type SearchFigures } from "./bench/duplicate-rows.ts";
import { type BenchRow, judged, milliseconds, tableText } from "./bench/row.ts";
import { scriptArguments } from "./script-arguments.ts";

const { values } = scriptArguments(import.meta.url, {
  options: {
    issues: { type: "string", default: "100000" },
    queries: { type: "string", default: "200" },
    json: { type: "string" },
    /** The index to search, in the process that this one starts. */
    search: { type: "string" },
  },
});
if (values.search === undefined) await measure();
else process.stdout.write(JSON.stringify(await searchIndex(values.search, Number(values.queries))));

async function measure(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "afk-bench-duplicates-"));
  try {
    const path = join(directory, "index.sqlite");
    const { issues, buildSeconds, buildCpuSeconds, indexMb } = await buildIndex(path, Number(values.issues));
    const self = [...process.execArgv, import.meta.filename, "--search", path, "--queries", values.queries];
    const found = JSON.parse((await execa(process.execPath, self)).stdout) as SearchFigures;
    const what = (name: string): string => `issue index, ${issues.toLocaleString("en")} issues: ${name}`;
    const row = (name: string, measured: string, requirement: string): Omit<BenchRow, "verdict"> => ({
      row: "D4",
      what: what(name),
      measured,
      rawLimit: "–",
      ratio: null,
      requirement,
    });
    const both = (p50: number, p95: number): string =>
      `p50 ${milliseconds(p50)}, p95 ${milliseconds(p95)} CPU`;
    const rows: BenchRow[] = [
      {
        ...row(
          "build, stopped half-way and resumed",
          `${buildCpuSeconds} s CPU, ${buildSeconds} s, ${indexMb} MB on disk`,
          "resumable",
        ),
        verdict: "information",
      },
      judged(
        row("search", both(found.queryCpuP50Ms, found.queryCpuP95Ms), "p95 ≤ 50 ms"),
        found.queryCpuP95Ms <= 50,
      ),
      judged(
        row("update of one", both(found.updateCpuP50Ms, found.updateCpuP95Ms), "≤ 10 ms"),
        found.updateCpuP95Ms <= 10,
      ),
      judged(row("memory", `${found.peakRssMb} MB, whole process`, "≤ 200 MB"), found.peakRssMb <= 200),
    ];
    process.stdout.write(`${tableText(rows)}\n`);
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ rows }, null, 2)}\n`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

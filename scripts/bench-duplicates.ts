/**
 * Usage: `npm run bench:duplicates`. Measures the issue index with 100,000 issues (D4): time and CPU of the build, size, CPU of a
 * search and of an update, and the memory of a process that runs the published code. `--issues N` and `--queries N` change the
 * size; `--json FILE` writes the rows to a file. It takes about two minutes on an idle machine. The exit code is 0 even if a row
 * is not met.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { execa } from "execa";
import { BENCH_PROGRAMS } from "./bench/batch/bundle-cleaning-program.ts";
import type { BuildFigures, SearchFigures } from "./bench/duplicate-rows.ts";
import { type BenchRow, judged, milliseconds, tableText } from "./bench/row.ts";
import { PROGRAM_OPTIONS } from "./bundling.ts";
import { scriptArguments } from "./script-arguments.ts";

const { values } = scriptArguments(import.meta.url, {
  options: {
    issues: { type: "string", default: "100000" },
    queries: { type: "string", default: "200" },
    json: { type: "string" },
  },
});
await measure();

async function measure(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "afk-bench-duplicates-"));
  try {
    const path = join(directory, "index.sqlite");
    const entryPoints = [join(import.meta.dirname, "bench/duplicate-index.ts")];
    await build({ ...PROGRAM_OPTIONS, entryPoints, outdir: BENCH_PROGRAMS });
    const built = await inProgram<BuildFigures>("build", path, values.issues);
    const found = await inProgram<SearchFigures>("search", path, values.queries);
    const { issues, buildSeconds, buildCpuSeconds, indexMb } = built;
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
      judged(
        row(
          "memory of the whole process",
          `build ${built.peakRssMb} MB, search and update ${found.peakRssMb} MB`,
          "≤ 200 MB",
        ),
        Math.max(built.peakRssMb, found.peakRssMb) <= 200,
      ),
    ];
    process.stdout.write(`${tableText(rows)}\n`);
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ rows }, null, 2)}\n`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function inProgram<Figures>(work: string, path: string, count: string): Promise<Figures> {
  const program = join(BENCH_PROGRAMS, "duplicate-index.js");
  return JSON.parse((await execa(process.execPath, [program, work, path, count])).stdout) as Figures;
}

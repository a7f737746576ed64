import { join } from "node:path";
import { build } from "esbuild";
import { execa } from "execa";
import { PROGRAM_OPTIONS } from "../../bundling.ts";
import { BENCH_PROGRAMS, bundleCleaningProgram } from "./bundle-cleaning-program.ts";
import { cpuMsOf, firstOutput } from "../measure.ts";
import type { BatchFigures, BatchLoad, ParentSettings } from "./simulated-batch.ts";

/**
 * Measures a batch in a separate process that runs one bundle, built as `npm run build` builds the published one. The loader of
 * development would stay in the parent's memory, and each program that the parent starts takes a copy of its page tables. The
 * simulated GitHub is a second process, which is started here and therefore is not a child of the parent.
 */
export async function measureBatch(load: BatchLoad): Promise<BatchFigures> {
  const entryPoints = ["parent.ts", "github-server.ts"].map((name) => join(import.meta.dirname, name));
  await build({ ...PROGRAM_OPTIONS, entryPoints, outdir: BENCH_PROGRAMS });
  await bundleCleaningProgram();
  const program = (name: string): string => join(BENCH_PROGRAMS, name);
  const github = execa(process.execPath, [program("github-server.js"), JSON.stringify(load)], {
    stderr: "inherit",
    buffer: false,
    reject: false,
  });
  try {
    const { pid } = github;
    if (pid === undefined) throw new Error("the simulated GitHub did not start");
    const githubUrl = await firstOutput(github.stdout);
    const settings = JSON.stringify({ ...load, githubUrl } satisfies ParentSettings);
    const { stdout } = await execa(process.execPath, [program("parent.js"), settings], { stderr: "inherit" });
    const figures = JSON.parse(stdout) as Omit<BatchFigures, "githubCpuMs">;
    return { ...figures, githubCpuMs: await cpuMsOf(pid) };
  } finally {
    github.kill();
    await github;
  }
}

import { join } from "node:path";
import { build } from "esbuild";
import { execa } from "execa";
import { PROGRAM_OPTIONS } from "../../bundling.ts";
import { BENCH_PROGRAMS, bundleCleaningProgram } from "./bundle-cleaning-program.ts";
import type { BatchFigures, BatchLoad } from "./simulated-batch.ts";

/**
 * In a process of its own that runs what is published: one bundle, made as `npm run build` makes it. Development's loader
 * would stay in the parent's memory, and each program the parent starts costs it a copy of its page tables.
 */
export async function measureBatch(load: BatchLoad): Promise<BatchFigures> {
  const entryPoints = [join(import.meta.dirname, "parent.ts")];
  await build({ ...PROGRAM_OPTIONS, entryPoints, outdir: BENCH_PROGRAMS });
  await bundleCleaningProgram();
  const { stdout } = await execa(
    process.execPath,
    [join(BENCH_PROGRAMS, "parent.js"), JSON.stringify(load)],
    {
      stderr: "inherit",
    },
  );
  return JSON.parse(stdout) as BatchFigures;
}

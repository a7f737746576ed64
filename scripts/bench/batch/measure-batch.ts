import { join } from "node:path";
import { build } from "esbuild";
import { execa } from "execa";
import { PROGRAM_OPTIONS } from "../../bundling.ts";
import type { BatchFigures, BatchLoad } from "./simulated-batch.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PARENT = join(ROOT, "build/bench-batch/parent.js");

/**
 * In a process of its own that runs what is published: one bundle, made as `npm run build` makes it. Development's loader
 * would stay in the parent's memory, and each program the parent starts costs it a copy of its page tables.
 */
export async function measureBatch(load: BatchLoad): Promise<BatchFigures> {
  const entryPoints = [join(import.meta.dirname, "parent.ts")];
  await build({ ...PROGRAM_OPTIONS, entryPoints, outfile: PARENT });
  const { stdout } = await execa(process.execPath, [PARENT, JSON.stringify(load)], { stderr: "inherit" });
  return JSON.parse(stdout) as BatchFigures;
}

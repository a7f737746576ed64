import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { PROGRAM_OPTIONS } from "../../bundling.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** The directory for the programs that the benchmarks bundle and measure. */
export const BENCH_PROGRAMS = join(ROOT, "build/bench-batch");

/** Bundles the program of the cleaning threads as `npm run build` does. */
export async function bundleCleaningProgram(): Promise<URL> {
  const source = join(ROOT, "src/triage/quarantine/cleaning/cleaning-program.ts");
  await build({ ...PROGRAM_OPTIONS, entryPoints: [source], outdir: BENCH_PROGRAMS });
  return pathToFileURL(join(BENCH_PROGRAMS, "cleaning-program.js"));
}

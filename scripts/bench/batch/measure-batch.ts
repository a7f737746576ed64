import { join } from "node:path";
import { build } from "esbuild";
import { execa } from "execa";
import type { BatchFigures, BatchLoad } from "./simulated-batch.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PARENT = join(ROOT, "build/bench-batch/parent.js");

/**
 * In a process of its own that runs what is published: one bundle, made as `npm run build` makes it. Development's loader
 * would stay in the parent's memory, and each program the parent starts costs it a copy of its page tables.
 */
export async function measureBatch(load: BatchLoad): Promise<BatchFigures> {
  await build({
    entryPoints: [join(import.meta.dirname, "parent.ts")],
    outfile: PARENT,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    external: ["@lydell/node-pty", "@napi-rs/canvas", "koffi", "libsql", "emulate"],
    minifyWhitespace: true,
    minifySyntax: true,
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  const { stdout } = await execa(process.execPath, [PARENT, JSON.stringify(load)], { stderr: "inherit" });
  return JSON.parse(stdout) as BatchFigures;
}

import { join } from "node:path";
import { build, stop } from "esbuild";

const ROOT = join(import.meta.dirname, "../../..");

/** Each bundle's name begins with the id of the process that made it. */
export const BUNDLES = join(ROOT, "build", "fleet");

/**
 * Bundles a worker program that stands beside this file. Workers are started and killed often, and the loader of development
 * takes seconds to start. Below `build`, so that natives are found. Gives the path.
 */
export async function bundleWorker(source: string): Promise<string> {
  const outfile = join(BUNDLES, `${process.pid}-${source.replace(/\.ts$/, ".mjs")}`);
  await build({
    entryPoints: [join(import.meta.dirname, source)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    external: ["@lydell/node-pty", "@napi-rs/canvas", "koffi", "libsql", "emulate"],
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  // Its service would live as long as this process.
  await stop();
  return outfile;
}

import { join } from "node:path";
import { build, stop } from "esbuild";

const ROOT = join(import.meta.dirname, "../../..");

/** The directory for bundles; each name begins with the id of the process that built it. */
export const BUNDLES = join(ROOT, "build", "fleet");

/**
 * Bundles a worker program in this folder, and returns the bundle's path. Workers are started and killed often, and the loader of
 * development takes seconds to start. The bundle is below `build`, so that native modules are found.
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
  // esbuild's service would run as long as this process.
  await stop();
  return outfile;
}

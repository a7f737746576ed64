import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, stop } from "esbuild";

const ROOT = join(import.meta.dirname, "../..");

/**
 * Bundles each program of this folder into one file, because loading TypeScript took ten times as long as running the programs.
 */
export interface BundledProcesses extends AsyncDisposable {
  lifecycle: string;
  writer: string;
}

export async function bundleProcesses(): Promise<BundledProcesses> {
  // The output is inside the repository, because the database driver is not bundled and must be found as a package.
  await mkdir(join(ROOT, "build"), { recursive: true });
  const outdir = await mkdtemp(join(ROOT, "build/test-store-"));
  await build({
    entryPoints: [
      fileURLToPath(new URL("lifecycle-process.ts", import.meta.url)),
      fileURLToPath(new URL("writer-process.ts", import.meta.url)),
    ],
    outdir,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    outExtension: { ".js": ".mjs" },
    external: ["libsql"],
  });
  // Otherwise the bundler's service would live as long as this process, which outlives its tests.
  await stop();
  return {
    lifecycle: join(outdir, "lifecycle-process.mjs"),
    writer: join(outdir, "writer-process.mjs"),
    [Symbol.asyncDispose]: () => rm(outdir, { recursive: true, force: true }),
  };
}

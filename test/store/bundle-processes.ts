import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { build, stop } from "esbuild";

const ROOT = join(import.meta.dirname, "../..");

/** The programs of this folder, each as one file: loading TypeScript took ten times as long as what they are started for. */
export interface BundledProcesses extends AsyncDisposable {
  lifecycle: string;
  writer: string;
}

export async function bundleProcesses(): Promise<BundledProcesses> {
  // Inside the repository, because the database driver stays a package.
  await mkdir(join(ROOT, "build"), { recursive: true });
  const outdir = await mkdtemp(join(ROOT, "build/test-store-"));
  const entry = (name: string): string => join(import.meta.dirname, `${name}.ts`);
  await build({
    entryPoints: [entry("lifecycle-process"), entry("writer-process")],
    outdir,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    outExtension: { ".js": ".mjs" },
    external: ["libsql"],
  });
  // Its service would live as long as this process, which does not end with its tests.
  await stop();
  return {
    lifecycle: join(outdir, "lifecycle-process.mjs"),
    writer: join(outdir, "writer-process.mjs"),
    [Symbol.asyncDispose]: () => rm(outdir, { recursive: true, force: true }),
  };
}

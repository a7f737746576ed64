import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { buildSync, stop } from "esbuild";

const SOURCE = join(import.meta.dirname, "../../src");

/**
 * Returns the path of one of this project's programs (`source` below `src`), bundled once for all tests of a run (one-build.ts),
 * because tests start it often.
 */
export function bundledOnce(source: string, name: string): string {
  const program = process.env["AFK_TEST_PROGRAM"];
  if (program === undefined) throw new Error("only in a test run, whose end removes what is bundled here");
  const path = `${program}.${name}.mjs`;
  if (!existsSync(path)) {
    const own = `${path}.${process.pid}`;
    buildSync({
      entryPoints: [join(SOURCE, source)],
      outfile: own,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20.19",
      minifySyntax: true,
      minifyWhitespace: true,
    });
    // esbuild's service would run as long as this process, which does not end with its tests.
    void stop();
    renameSync(own, path);
  }
  return path;
}

import { spawnSync } from "node:child_process";
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { buildSync, stop } from "esbuild";

const SOURCE = join(import.meta.dirname, "../../../src/workspaces/coder/terminal/coder-terminal.ts");

/** A machine that runs the tests need not have it. */
export const HAS_TMUX = spawnSync("tmux", ["-V"]).status === 0;

/** argv of `coder-terminal`, bundled once for all tests of a run (test/support/one-build.ts): it is started often. */
export function terminalRelay(): readonly [string, ...string[]] {
  const program = process.env["AFK_TEST_PROGRAM"];
  if (program === undefined) throw new Error("only in a test run, whose end removes what is bundled here");
  const path = `${program}.relay.mjs`;
  if (!existsSync(path)) {
    const own = `${path}.${process.pid}`;
    buildSync({
      entryPoints: [SOURCE],
      outfile: own,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20.19",
      minifySyntax: true,
      minifyWhitespace: true,
    });
    // Its service would live as long as this process, which does not end with its tests.
    void stop();
    renameSync(own, path);
  }
  return [process.execPath, path];
}

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = join(import.meta.dirname, "../../..");
const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

/** A machine that runs the tests need not have it. */
export const HAS_TMUX = spawnSync("tmux", ["-V"]).status === 0;

/** argv of `coder-terminal` from its source, as the bundle starts it in production. */
export const TERMINAL_RELAY: readonly [string, ...string[]] = [
  process.execPath,
  "--import",
  TSX,
  join(ROOT, "src/workspaces/coder/terminal/coder-terminal.ts"),
];

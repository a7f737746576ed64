import { spawnSync } from "node:child_process";
import { bundledOnce } from "../bundled-once.ts";

/** A machine that runs the tests need not have it. */
export const HAS_TMUX = spawnSync("tmux", ["-V"]).status === 0;

/** argv of `coder-terminal`. */
export function terminalRelay(): readonly [string, ...string[]] {
  return [process.execPath, bundledOnce("workspaces/coder/terminal/coder-terminal.ts", "relay")];
}

import { spawnSync } from "node:child_process";
import { bundledOnce } from "../bundled-once.ts";

/** Whether this machine has tmux, which the tests do not require. */
export const HAS_TMUX = spawnSync("tmux", ["-V"]).status === 0;

/** Returns the argv of `coder-terminal`. */
export function terminalRelay(): readonly [string, ...string[]] {
  return [process.execPath, bundledOnce("workspaces/coder/terminal/coder-terminal.ts", "relay")];
}

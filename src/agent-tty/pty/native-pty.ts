import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * node-pty's native half. Its JavaScript half is not used because it closes the terminal 200 ms after the child's exit,
 * unread output included (lost under back-pressure), spins on EAGAIN while the child does not read, and gives up IUTF8
 * when asked for raw bytes. The signature is that of node-pty 1.1.
 */
export interface NativePty {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    cols: number,
    rows: number,
    userId: number,
    groupId: number,
    utf8: boolean,
    helperPath: string,
    onExit: (code: number, signalNumber: number) => void,
  ): { fd: number; pid: number; pty: string };
  resize(fd: number, cols: number, rows: number): void;
}

const require = createRequire(import.meta.url);

export function loadNativePty(): { native: NativePty; helperPath: string } {
  const { native } = require("node-pty") as { native: NativePty };
  return { native, helperPath: spawnHelperPath() };
}

/** Only macOS starts the child through this helper program. */
function spawnHelperPath(): string {
  const root = dirname(require.resolve("node-pty/package.json"));
  const directories = ["build/Release", "build/Debug", `prebuilds/${process.platform}-${process.arch}`];
  const directory = directories.find((name) => existsSync(join(root, name, "pty.node"))) ?? "build/Release";
  return join(root, directory, "spawn-helper");
}

import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * node-pty's native half. Its JavaScript half is not used because it closes the terminal 200 ms after the child's exit, even with
 * unread output (which is lost under back-pressure), loops on EAGAIN while the child does not read, and drops IUTF8 when raw
 * bytes are requested. The signature is that of node-pty 1.1.
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

/**
 * Loads the prebuilt addon. It has one package per platform, next to @lydell/node-pty, so that installing it compiles and
 * downloads nothing more.
 */
export function loadNativePty(): { native: NativePty; helperPath: string } {
  const platform = `@lydell/node-pty-${process.platform}-${process.arch}`;
  const requireBeside = createRequire(require.resolve("@lydell/node-pty/package.json"));
  const native = requireBeside(`${platform}/pty.node`) as NativePty;
  // Only macOS uses this helper program to start the child.
  const helperPath = join(dirname(requireBeside.resolve(`${platform}/package.json`)), "spawn-helper");
  return { native, helperPath };
}

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

/** The addon comes prebuilt, one package a platform, beside @lydell/node-pty: installing it compiles and downloads nothing more. */
export function loadNativePty(): { native: NativePty; helperPath: string } {
  const platform = `@lydell/node-pty-${process.platform}-${process.arch}`;
  const requireBeside = createRequire(require.resolve("@lydell/node-pty/package.json"));
  const native = requireBeside(`${platform}/pty.node`) as NativePty;
  // Only macOS starts the child through this helper program.
  const helperPath = join(dirname(requireBeside.resolve(`${platform}/package.json`)), "spawn-helper");
  return { native, helperPath };
}

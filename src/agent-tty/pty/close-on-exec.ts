import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

const F_SETFD = 2;
const FD_CLOEXEC = 1;

type Fcntl = (fd: number, command: number, type: "int", flags: number) => number;

let fcntl: Fcntl | null = null;

/**
 * Returns a function that marks a descriptor close-on-exec, so that no program that this process starts later inherits it. Throws
 * if koffi cannot be loaded. The addon returns the terminal's master without this flag, and a process that holds a master can
 * read and type into that Session. The flag is set through koffi, because Node has no fcntl. If the fork and the call are in the
 * same turn, no program can be started in between.
 */
export function loadCloseOnExec(): (fd: number) => void {
  fcntl ??= loadFcntl();
  const call = fcntl;
  return (fd) => {
    if (call(fd, F_SETFD, "int", FD_CLOEXEC) === -1) throw new Error(`fcntl(${fd}, F_SETFD) failed`);
  };
}

function loadFcntl(): Fcntl {
  const koffi = require("koffi") as typeof import("koffi");
  return koffi.load(null).func("int fcntl(int fd, int command, ...)");
}

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

const F_SETFD = 2;
const FD_CLOEXEC = 1;

type Fcntl = (fd: number, command: number, type: "int", flags: number) => number;

let fcntl: Fcntl | null = null;

/**
 * Gives what keeps a descriptor from every program that this process starts later. The addon returns the terminal's master
 * without it, and a process that holds a master can read and type into that Session. Node has no fcntl, hence the call through koffi.
 * Nothing can be started between the fork and the call when both happen in the same turn. Throws when koffi cannot be loaded.
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

import { type Bind, opaque } from "./bind.ts";
import type { PosixCalls } from "./posix-calls.ts";

const O_RDWR = 2;
const O_NONBLOCK = 0o4000;
const O_CLOEXEC = 0o2000000;
const F_SETFD = 2;
const F_SETFL = 4;
const FD_CLOEXEC = 1;
const TIOCSWINSZ = 0x5414;

/** Returns the calls that create pipes and terminals. Throws if the C library lacks one of them. */
export function bindDescriptors(call: Bind): Pick<PosixCalls, "pipe" | "openTerminal" | "resizeTerminal"> {
  const pipe2 = call("int pipe2(_Out_ int *fds, int flags)");
  const openpty = call(
    "int openpty(_Out_ int *master, _Out_ int *slave, void *path, const void *modes, const void *size)",
  );
  const fcntl = call("int fcntl(int fd, int command, ...)");
  const ioctl = call("int ioctl(int fd, unsigned long request, ...)");
  const modes = terminalModes();
  return {
    pipe: () => {
      const fds = [-1, -1];
      if (pipe2(fds, O_CLOEXEC) !== 0) return null;
      const [readFd = -1, writeFd = -1] = fds;
      return { readFd, writeFd };
    },
    openTerminal: (cols, rows) => {
      const [master, slave] = [[-1], [-1]];
      const name = opaque();
      if (openpty(master, slave, name, modes, windowSize(cols, rows)) !== 0) return null;
      const [[masterFd = -1], [slaveFd = -1]] = [master, slave];
      fcntl(slaveFd, F_SETFD, "int", FD_CLOEXEC);
      fcntl(masterFd, F_SETFD, "int", FD_CLOEXEC);
      fcntl(masterFd, F_SETFL, "int", O_RDWR | O_NONBLOCK);
      return { masterFd, slaveFd, path: name.toString("latin1", 0, name.indexOf(0)) };
    },
    resizeTerminal: (masterFd, cols, rows) =>
      ioctl(masterFd, TIOCSWINSZ, "void *", windowSize(cols, rows)) === 0,
  };
}

/** Returns a struct winsize: rows, columns, and two sizes in pixels. */
function windowSize(cols: number, rows: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt16LE(rows, 0);
  size.writeUInt16LE(cols, 2);
  return size;
}

/**
 * Returns the struct termios of a new terminal, with node-pty's settings: cooked UTF-8 input with echo, any key continues stopped
 * output, a break interrupts, 38400 baud, and the usual control characters.
 */
function terminalModes(): Buffer {
  const modes = opaque();
  const [input, output, control, local] = [0x6d02, 0x0005, 0x04bf, 0x8a3b];
  for (const [index, flags] of [input, output, control, local].entries())
    modes.writeUInt32LE(flags, index * 4);
  // VINTR, VQUIT, VERASE, VKILL, VEOF, VTIME, VMIN, VSWTC, VSTART, VSTOP, VSUSP, VEOL, VREPRINT, VDISCARD, VWERASE, VLNEXT, VEOL2
  const characters = [3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 255, 18, 15, 23, 22, 255];
  modes.set(characters, 17);
  modes.writeUInt32LE(15, 52);
  modes.writeUInt32LE(15, 56);
  return modes;
}

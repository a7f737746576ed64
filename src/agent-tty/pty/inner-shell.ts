import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import { commandOf, foregroundGroupOf, processTable, readProcess } from "../processes/index.ts";
import type { InnerShell } from "./pty.ts";

const POSIX_SHELLS = new Set(["sh", "bash", "dash", "zsh", "ash", "ksh", "mksh", "busybox"]);
/** ssh(1): options that take a value. */
const SSH_VALUES = /^-[46AaCfGgKkMNnqsTtVvXxYy]*[BbcDEeFIiJLlmOoPpQRSWw]$/;

/**
 * Returns the interactive shell in the foreground of the terminal that `childPid` leads, or null if that is the child as it was
 * started. The shell may run inside the child, behind ssh, or in place of the child after exec. Linux only.
 */
export function innerShellOf(childPid: number, startedAs: readonly string[]): InnerShell | null {
  const pid = foregroundGroupOf(childPid);
  const row = pid === null ? null : readProcess(pid);
  if (pid === null || row === null) return null;
  const command = commandOf(pid);
  const program = programOf(command);
  const isChild = pid === childPid && program === programOf(startedAs);
  if (isChild && command.slice(1).join("\0") === startedAs.slice(1).join("\0")) return null;
  const isShell = POSIX_SHELLS.has(program)
    ? readsCommands(command) && readsTerminal(pid)
    : isLogin(program, command);
  const identity = `${pid} ${row.startTicks} ${program}`;
  return isShell ? { program, identity, isRemote: program === "ssh" } : null;
}

/**
 * Returns whether a shell is alone in the foreground of the terminal: it reads a command, or runs one of its own builtins.
 * `identity`: that of an inner shell, or null for the child that leads the terminal. The shell behind a connection is never
 * alone. Linux only.
 */
export function isShellAlone(
  childPid: number,
  startedAs: readonly string[],
  identity: string | null,
): boolean {
  const group = foregroundGroupOf(childPid);
  const inner = innerShellOf(childPid, startedAs);
  const isInFront =
    identity === null
      ? inner === null && group === childPid
      : inner?.identity === identity && !inner.isRemote;
  return isInFront && processTable().filter((row) => row.groupId === group && !row.isZombie).length === 1;
}

/** Returns whether a shell with these arguments reads its commands from stdin. A shell with a script or with `-c` does not. */
function readsCommands([, ...flags]: readonly string[]): boolean {
  const own = flags[0] === "sh" ? flags.slice(1) : flags;
  return own.every((flag) => /^[-+]/.test(flag) && !/^-[a-z]*c/.test(flag));
}

/** Returns whether a shell reads its commands from a terminal. A shell that reads them from a file or a pipe does not. */
function readsTerminal(pid: number): boolean {
  try {
    return /^\/dev\/(?:pts\/|tty)/.test(readlinkSync(`/proc/${pid}/fd/0`));
  } catch {
    return false;
  }
}

/** Returns whether this is ssh to a host without a command to run there. */
function isLogin(program: string, [, ...flags]: readonly string[]): boolean {
  if (program !== "ssh") return false;
  const names = flags.filter((flag, at) => !flag.startsWith("-") && !SSH_VALUES.test(flags[at - 1] ?? ""));
  return names.length === 1;
}

function programOf([name = ""]: readonly string[]): string {
  return basename(name).replace(/^-/, "");
}

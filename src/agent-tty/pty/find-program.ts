import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, resolve } from "node:path";
import { OperationalError } from "../kit/index.ts";
import type { PtyErrorCode, PtySpec } from "./pty.ts";

/**
 * Returns the absolute path of the program, searched in the child's own PATH. Throws SPAWN_PROGRAM_MISSING or
 * SPAWN_DIRECTORY_MISSING. This is checked before the fork, because a child that fails in `exec` looks like a program that ended
 * with code 1.
 */
export function findProgram(spec: Pick<PtySpec, "command" | "cwd" | "env">): string {
  requireDirectory(spec.cwd);
  const [program] = spec.command;
  const candidates = program.includes("/")
    ? [resolve(spec.cwd, program)]
    : (spec.env["PATH"] ?? "")
        .split(delimiter)
        .filter((directory) => isAbsolute(directory))
        .map((directory) => resolve(directory, program));
  const found = candidates.find(isExecutableFile);
  if (program !== "" && found !== undefined) return found;
  throw new OperationalError<PtyErrorCode>({
    code: "SPAWN_PROGRAM_MISSING",
    message: `cannot start "${program}": no executable file ${program.includes("/") ? `at ${candidates[0]}` : `in PATH (${spec.env["PATH"] ?? "not set"})`}`,
    remedy: "Install the program, give its full path, or add its directory to PATH.",
    details: { program },
  });
}

function requireDirectory(path: string): void {
  try {
    if (statSync(path).isDirectory()) return;
  } catch (error) {
    throw directoryMissing(path, error);
  }
  throw directoryMissing(path, undefined);
}

function directoryMissing(path: string, cause: unknown): OperationalError<PtyErrorCode> {
  return new OperationalError<PtyErrorCode>({
    code: "SPAWN_DIRECTORY_MISSING",
    message: `cannot start in ${path}: it is not a directory that can be entered`,
    remedy: "create the directory or give another working directory",
    details: { cwd: path },
    cause,
  });
}

/** Returns whether the path leads to a file that this user may execute. */
export function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

import { OperationalError } from "agent-tty/kit";
import { dirname, relative } from "node:path/posix";
import type { ExecResult, ReadyWorkspace, WorkspaceErrorCode } from "./port.ts";
import { shellQuote } from "./shell-quote.ts";

/** What was found at a path that untrusted code may have prepared (S9). */
export type WorkspaceFile =
  | { type: "content"; bytes: Uint8Array }
  | { type: "missing" }
  /** A symbolic link (also on the way), FIFO, socket, device or directory. */
  | { type: "not-regular" }
  | { type: "too-large"; maxBytes: number }
  | { type: "unreadable"; message: string }
  | { type: "transport-lost"; message: string };

const TRANSFER_TIMEOUT_MS = 60_000;
const EXIT = { missing: 81, notRegular: 82, unreadable: 83 } as const;

/** Reads at most `maxBytes`. `path` is absolute. Rejects only with the signal's reason. */
export async function readWorkspaceFile(
  workspace: ReadyWorkspace,
  path: string,
  { maxBytes }: { maxBytes: number },
  signal: AbortSignal,
): Promise<WorkspaceFile> {
  const result = await workspace.exec(readScript(workspace.directory, path, maxBytes), {
    timeoutMs: TRANSFER_TIMEOUT_MS,
    maxOutputBytes: maxBytes + 1,
    signal,
  });
  switch (result.type) {
    case "exited":
      return fileFrom(result, maxBytes);
    case "output-too-large":
      return { type: "too-large", maxBytes };
    case "timed-out":
      return { type: "unreadable", message: `reading ${path} took longer than ${TRANSFER_TIMEOUT_MS} ms` };
    case "transport-lost":
      return result;
  }
}

/**
 * Replaces the file at an absolute path, all or nothing, making its directory when needed. A link at that path is replaced,
 * not followed. Rejects with WORKSPACE_LOST, whose message quotes the shell, or with the signal's reason.
 */
export async function writeWorkspaceFile(
  workspace: ReadyWorkspace,
  path: string,
  bytes: Uint8Array,
  { executable = false }: { executable?: boolean },
  signal: AbortSignal,
): Promise<void> {
  const result = await workspace.exec(writeScript(path, bytes.byteLength, executable), {
    stdin: bytes,
    timeoutMs: TRANSFER_TIMEOUT_MS,
    signal,
  });
  if (result.type === "exited" && result.exitCode === 0) return;
  throw new OperationalError<WorkspaceErrorCode>({
    code: "WORKSPACE_LOST",
    message: `writing ${bytes.byteLength} bytes to ${path} in the Coder workspace failed: ${explain(result)}`,
    remedy: "Check free space and permissions in the Coder workspace, then run the Triage Batch again.",
  });
}

function fileFrom(result: Extract<ExecResult, { type: "exited" }>, maxBytes: number): WorkspaceFile {
  switch (result.exitCode) {
    case 0:
      return result.stdout.byteLength > maxBytes
        ? { type: "too-large", maxBytes }
        : { type: "content", bytes: result.stdout };
    case EXIT.missing:
      return { type: "missing" };
    case EXIT.notRegular:
      return { type: "not-regular" };
    default:
      return { type: "unreadable", message: explain(result) };
  }
}

/**
 * What is checked by name may be swapped before it is opened, so the opened file is checked again: regular, and still the one
 * the name means. A FIFO swapped in between blocks the open, which the time limit ends.
 */
function readScript(directory: string, path: string, maxBytes: number): string {
  const file = shellQuote(path);
  const isLinked = [...foldersBelow(directory, path), path]
    .map((step) => `[ -L ${shellQuote(step)} ]`)
    .join(" || ");
  return [
    `if ${isLinked}; then exit ${EXIT.notRegular}; fi`,
    `[ -e ${file} ] || exit ${EXIT.missing}`,
    `[ -f ${file} ] || exit ${EXIT.notRegular}`,
    `[ -r ${file} ] || exit ${EXIT.unreadable}`,
    "{",
    `  [ -f /dev/fd/3 ] && [ /dev/fd/3 -ef ${file} ] && ! { ${isLinked}; } || exit ${EXIT.notRegular}`,
    `  head -c ${maxBytes + 1} <&3 || exit ${EXIT.unreadable}`,
    "  exit 0",
    `} 3<${file}`,
    `exit ${EXIT.unreadable}`,
  ].join("\n");
}

/** The length is checked because a lost connection looks like the end of standard input. */
function writeScript(path: string, sizeBytes: number, executable: boolean): string {
  const file = shellQuote(path);
  return [
    "set -eC",
    `part=${file}.part.$$`,
    `mkdir -p -- ${shellQuote(dirname(path))}`,
    `if [ -d ${file} ]; then echo "a directory is in the way" >&2; exit 1; fi`,
    "trap 'rm -f -- \"$part\"' EXIT",
    'cat >"$part"',
    'got=$(wc -c <"$part")',
    `if [ "$got" -ne ${sizeBytes} ]; then echo "only $got bytes arrived" >&2; exit 1; fi`,
    `chmod ${executable ? "755" : "644"} -- "$part"`,
    `mv -f -- "$part" ${file}`,
  ].join("\n");
}

function foldersBelow(directory: string, path: string): string[] {
  const steps = relative(directory, dirname(path)).split("/");
  if (steps[0] === ".." || steps[0] === "") return [];
  return steps.map((_, index) => [directory, ...steps.slice(0, index + 1)].join("/"));
}

function explain(result: ExecResult): string {
  switch (result.type) {
    case "exited":
      return `exit code ${result.exitCode}${result.stderr.trim() === "" ? "" : `: ${result.stderr.trim().slice(-500)}`}`;
    case "timed-out":
      return `not done within ${TRANSFER_TIMEOUT_MS} ms`;
    case "output-too-large":
      return "unexpected output";
    case "transport-lost":
      return `the connection was lost: ${result.message}`;
  }
}

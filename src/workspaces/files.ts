import { OperationalError, shellQuote } from "agent-tty/kit";
import { basename, dirname, relative } from "node:path/posix";
import type { ExecResult, ReadyWorkspace, WorkspaceErrorCode } from "./port.ts";

/** The result of reading a path that untrusted code may have prepared: hostile input of bounded size (S9). */
export type WorkspaceFile =
  | { type: "content"; bytes: Uint8Array }
  | { type: "missing" }
  /** The path is or contains a symbolic link, or it is a FIFO, socket, device or directory. */
  | { type: "not-regular" }
  | { type: "too-large"; maxBytes: number }
  | { type: "unreadable"; message: string }
  | { type: "transport-lost"; message: string };

const TRANSFER_TIMEOUT_MS = 60_000;
/** The rate of the slowest connection over which a file can be written: 100 kB/s. */
const SLOWEST_BYTES_PER_MS = 100;
const EXIT = { missing: 81, notRegular: 82, unreadable: 83, noProgram: 84 } as const;

/**
 * Reads a file of at most `maxBytes` bytes and resolves with its content or the reason why there is none. `path` is absolute.
 * Rejects only with the signal's reason.
 */
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

export interface FollowUp {
  /** A bash command line, whose output is returned. */
  commandLine: string;
  maxOutputBytes: number;
  timeoutMs: number;
  /** A word that is unknown to the Coder workspace; it separates the file from the output. */
  nonce: string;
}

/**
 * Resolves with a file and, over the same connection, the output of a command line. The output is null if the command failed,
 * took too long or printed too much; then the file is read separately.
 */
export async function readWorkspaceFileAnd(
  workspace: ReadyWorkspace,
  path: string,
  { maxBytes }: { maxBytes: number },
  { commandLine, maxOutputBytes, timeoutMs, nonce }: FollowUp,
  signal: AbortSignal,
): Promise<{ file: WorkspaceFile; output: Uint8Array | null }> {
  const script = [
    "set -o pipefail",
    `( ${readScript(workspace.directory, path, maxBytes)}\n)`,
    String.raw`printf '\n%s %s\n' ${nonce} "$?"`,
    `( ${commandLine}\n) | head -c ${maxOutputBytes + 1}`,
  ].join("\n");
  const result = await workspace.exec(script, {
    timeoutMs,
    maxOutputBytes: maxBytes + maxOutputBytes + MARK_BYTES,
    signal,
  });
  const parts = result.type === "exited" ? divide(result.stdout, nonce) : null;
  if (result.type !== "exited" || parts === null)
    return { file: await readWorkspaceFile(workspace, path, { maxBytes }, signal), output: null };
  const { before: stdout, exitCode, after } = parts;
  const file = fileFrom({ ...result, stdout, exitCode }, maxBytes);
  const isWhole = result.exitCode === 0 && after.byteLength <= maxOutputBytes;
  return { file, output: isWhole ? after : null };
}

/** More than the length of the line between the file and the output, in bytes. */
const MARK_BYTES = 256;

function divide(
  stdout: Uint8Array,
  nonce: string,
): { before: Uint8Array; exitCode: number; after: Uint8Array } | null {
  const bytes = Buffer.from(stdout.buffer, stdout.byteOffset, stdout.byteLength);
  const at = bytes.indexOf(`\n${nonce} `);
  if (at === -1) return null;
  const line = /^\n\S+ (\d{1,3})\n/.exec(bytes.toString("latin1", at, at + MARK_BYTES));
  if (line === null) return null;
  return {
    before: bytes.subarray(0, at),
    exitCode: Number(line[1]),
    after: bytes.subarray(at + line[0].length),
  };
}

/** A file to write; `path` is absolute. */
export interface FileToWrite {
  path: string;
  bytes: Uint8Array;
  executable: boolean;
}

export function writeWorkspaceFile(
  workspace: ReadyWorkspace,
  path: string,
  bytes: Uint8Array,
  { executable = false }: { executable?: boolean },
  signal: AbortSignal,
): Promise<void> {
  return writeWorkspaceFiles(workspace, [{ path, bytes, executable }], signal);
}

/**
 * Replaces files, each completely or not at all, and all over one connection; creates their directories when needed. A link at a
 * path is replaced, not followed. Rejects with WORKSPACE_LOST if the transport failed for good or the time limit has passed
 * (`isTooSlow`), with WORKSPACE_FILE_REFUSED, which quotes the shell, if the Coder workspace did not accept the files, or with the
 * signal's reason.
 */
export async function writeWorkspaceFiles(
  workspace: ReadyWorkspace,
  files: readonly [FileToWrite, ...FileToWrite[]],
  signal: AbortSignal,
): Promise<void> {
  const result = await write(workspace, files, writeScript(files), signal);
  if (result.type !== "exited" || result.exitCode !== 0) throw notWritten(files, result);
}

/**
 * Writes the files if the Coder workspace can start `program`. Returns false, and writes nothing, if it has no program of that
 * name on its PATH.
 */
export async function writeFilesForProgram(
  workspace: ReadyWorkspace,
  program: string,
  files: readonly [FileToWrite, ...FileToWrite[]],
  signal: AbortSignal,
): Promise<boolean> {
  const look = `command -v -- ${shellQuote(program)} >/dev/null || exit ${EXIT.noProgram}`;
  const result = await write(workspace, files, `${look}\n${writeScript(files)}`, signal);
  if (result.type !== "exited") throw notWritten(files, result);
  if (result.exitCode === EXIT.noProgram) return false;
  if (result.exitCode !== 0) throw notWritten(files, result);
  return true;
}

function write(
  workspace: ReadyWorkspace,
  files: readonly FileToWrite[],
  script: string,
  signal: AbortSignal,
): Promise<ExecResult> {
  const stdin = Buffer.concat(files.map(({ bytes }) => bytes));
  return workspace.exec(script, { stdin, timeoutMs: writeLimitMs(stdin.byteLength), signal });
}

function writeLimitMs(sizeBytes: number): number {
  return TRANSFER_TIMEOUT_MS + Math.ceil(sizeBytes / SLOWEST_BYTES_PER_MS);
}

/** Returns whether the error says that writing files was given up because of its time limit, which grows with their size. */
export function isTooSlow(error: unknown): boolean {
  return error instanceof OperationalError && error.details["isTooSlow"] === true;
}

function notWritten(files: readonly FileToWrite[], result: ExecResult): OperationalError<WorkspaceErrorCode> {
  const sizeBytes = files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  const paths = files.map(({ path }) => path).join(", ");
  return new OperationalError<WorkspaceErrorCode>({
    code: result.type === "exited" ? "WORKSPACE_FILE_REFUSED" : "WORKSPACE_LOST",
    message: `writing ${sizeBytes} bytes to ${paths} in the Coder workspace failed: ${explain(result, writeLimitMs(sizeBytes))}`,
    remedy: "Check free space and permissions in the Coder workspace, then run the Triage Batch again.",
    details: { isTooSlow: result.type === "timed-out" },
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
      return { type: "unreadable", message: explain(result, TRANSFER_TIMEOUT_MS) };
  }
}

/**
 * Returns the script that reads a file. A path that was checked by name may be swapped before it is opened, so the opened file is
 * checked again: it must be regular and still be the file that the name refers to. A FIFO swapped in between blocks the open,
 * which the time limit ends.
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

/**
 * Returns the script that writes files. The length is checked because a lost connection looks like the end of standard input. The
 * input is first stored and then divided, because a program that takes its part from a pipe may read ahead. Starting programs
 * takes time in every Coder workspace, so the shell itself divides texts, and files move together into their directory.
 */
function writeScript(files: readonly [FileToWrite, ...FileToWrite[]]): string {
  const [first] = files;
  const folders = [...new Set(files.map(({ path }) => dirname(path)))];
  const parts = (isPart: (file: FileToWrite) => boolean): string =>
    files
      .filter(isPart)
      .map(({ path }) => `"$new${folders.indexOf(dirname(path))}"/${shellQuote(basename(path))}`)
      .join(" ");
  const programs = parts(({ executable }) => executable);
  return [
    "set -eC",
    "export LC_ALL=C",
    `all=${shellQuote(first.path)}.all.$$`,
    ...folders.map((folder, index) => `new${index}=${shellQuote(folder)}/.new.$$.${index}`),
    ...folders.map(shellQuote).map((folder) => `[ -d ${folder} ] || mkdir -p -- ${folder}`),
    // mkdir refuses anything that already exists, even a link.
    `mkdir -- ${folders.map((_, index) => `"$new${index}"`).join(" ")}`,
    `trap 'rm -rf -- "$all" ${folders.map((_, index) => `"$new${index}"`).join(" ")}' EXIT`,
    'cat >"$all"',
    ...files.map(
      ({ path }) => `if [ -d ${shellQuote(path)} ]; then echo "a directory is in the way" >&2; exit 1; fi`,
    ),
    "umask 022",
    ...divideScript(
      files.map(({ bytes }) => bytes),
      files.map((file) => parts((other) => other === file)),
    ),
    ...(programs === "" ? [] : [`chmod 755 -- ${programs}`]),
    ...folders.map(
      (folder) => `mv -f -- ${parts(({ path }) => dirname(path) === folder)} ${shellQuote(folder)}/`,
    ),
  ].join("\n");
}

/**
 * Returns the commands that divide the input and refuse an input that is too short. A shell variable holds every byte except NUL.
 */
function divideScript(contents: readonly Uint8Array[], parts: readonly string[]): string[] {
  const refuse = `{ echo "not all bytes arrived" >&2; exit 1; }`;
  if (contents.some((bytes) => bytes.includes(0))) {
    const sizeBytes = contents.reduce((sum, { byteLength }) => sum + byteLength, 0);
    let offset = 1;
    return [
      `[ "$(wc -c <"$all")" -eq ${sizeBytes} ] || ${refuse}`,
      ...contents.map(({ byteLength }, index) => {
        const from = offset;
        offset += byteLength;
        return `tail -c +${from} -- "$all" | head -c ${byteLength} >${parts[index]}`;
      }),
    ];
  }
  return [
    'exec 3<"$all"',
    ...contents.map(({ byteLength }, index) =>
      byteLength === 0
        ? `: >${parts[index]}`
        : `IFS= read -r -d '' -n ${byteLength} -u 3 text || ${refuse}; printf %s "$text" >${parts[index]}`,
    ),
    "exec 3<&-",
  ];
}

function foldersBelow(directory: string, path: string): string[] {
  const steps = relative(directory, dirname(path)).split("/");
  if (steps[0] === ".." || steps[0] === "") return [];
  return steps.map((_, index) => [directory, ...steps.slice(0, index + 1)].join("/"));
}

function explain(result: ExecResult, limitMs: number): string {
  switch (result.type) {
    case "exited":
      return `exit code ${result.exitCode}${result.stderr.trim() === "" ? "" : `: ${result.stderr.trim().slice(-500)}`}`;
    case "timed-out":
      return `not done within ${limitMs} ms`;
    case "output-too-large":
      return "unexpected output";
    case "transport-lost":
      return `the connection was lost: ${result.message}`;
  }
}

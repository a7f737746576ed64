import type { EnvironmentCause } from "../verdict.ts";

/**
 * Messages that programs print when the machine, not the product, is at fault. The first match counts. A program that runs longer
 * than its parent permits also fails with ETIMEDOUT, so that word alone does not point to the network.
 */
const SIGNS: readonly (readonly [EnvironmentCause, RegExp])[] = [
  [
    "network",
    /\b(?:ECONNREFUSED|ECONNRESET|EADDRINUSE|EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|(?:connect|getaddrinfo|read|write|request\b[^\n]{0,80}) ETIMEDOUT)\b|could not resolve host|network is unreachable|connection refused|address already in use|temporary failure in name resolution/i,
  ],
  [
    "disk",
    /\b(?:ENOSPC|EDQUOT|EFBIG)\b|no space left on device|disk quota exceeded|file (?:is )?too large|file size limit exceeded/i,
  ],
  [
    "missing-module",
    /cannot find (?:module|package)|ModuleNotFoundError|No module named|ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|cannot load such file|no required module provides package|can't find crate/i,
  ],
  [
    "missing-tool",
    /command not found|: not found\b|executable file not found|No such file or directory: '[\w.-]+'/i,
  ],
  [
    "permission",
    /\bEACCES\b|\bEPERM\b|permission denied|operation not permitted|code generation from strings disallowed/i,
  ],
  ["missing-file", /\bENOENT\b|no such file or directory|can't cd to/i],
];

/** Exit codes by which shells report that a command could not be run or was ended. */
const CODES: Readonly<Record<number, EnvironmentCause>> = {
  126: "permission",
  127: "missing-tool",
  124: "time-limit",
  137: "killed",
  143: "killed",
  153: "disk",
};

/** Causes that an answer of the product cannot have: they depend on the machine or on the script's own files. */
const OF_MACHINE: ReadonlySet<EnvironmentCause> = new Set(["disk", "network", "permission", "missing-file"]);

/** Matches the ways in which people say that a file is missing. */
const NAMED_MISSING =
  /\b(?:can)?not (?:be )?found\b|\b(?:does|do|did)(?: not|n't) exist|\bmissing\b|\bcan(?:not|'t| not) (?:find|open|read|load)|\bunable to (?:find|open|read|load)/i;

/**
 * Returns the fault of the machine that a text names and the issue does not: its disk, network, permissions or a missing file;
 * null: none. An issue about such a fault names it.
 */
export function machineFault(text: string, issueText: string): EnvironmentCause | null {
  const said = SIGNS.find(([cause, sign]) => OF_MACHINE.has(cause) && sign.test(text));
  if (said === undefined) return null;
  const [cause, sign] = said;
  const isNamed = sign.test(issueText) || (cause === "missing-file" && NAMED_MISSING.test(issueText));
  return isNamed ? null : cause;
}

/** Returns the claimed lines. If they say that an error was not handled, the line in which Node.js names that error is added. */
export function withCrash(lines: string, output: string): string {
  const at = /Unhandled 'error' event/.test(lines) ? output.indexOf("Unhandled 'error' event") : -1;
  const error = at === -1 ? null : /^\w*Error\b.*$/m.exec(output.slice(at));
  return error === null ? lines : `${lines}\n${error[0]}`;
}

/** Returns the environment cause that an output or an exit code points to; null if neither points to one. */
export function environmentCause(output: string, exitCode: number | null): EnvironmentCause | null {
  const said = SIGNS.find(([, sign]) => sign.test(output))?.[0];
  return said ?? (exitCode === null ? null : (CODES[exitCode] ?? null));
}

import type { EnvironmentCause } from "../verdict.ts";

/** Messages of programs when the machine, and not the product, fails them; the first match counts. */
const SIGNS: readonly (readonly [EnvironmentCause, RegExp])[] = [
  [
    "network",
    /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT)\b|could not resolve host|network is unreachable|connection refused|temporary failure in name resolution/i,
  ],
  ["disk", /\bENOSPC\b|\bEDQUOT\b|no space left on device|disk quota exceeded/i],
  [
    "missing-module",
    /cannot find (?:module|package)|ModuleNotFoundError|No module named|ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|cannot load such file|no required module provides package|can't find crate/i,
  ],
  [
    "missing-tool",
    /command not found|: not found\b|executable file not found|No such file or directory: '[\w.-]+'/i,
  ],
  ["permission", /\bEACCES\b|\bEPERM\b|permission denied|operation not permitted/i],
  ["missing-file", /\bENOENT\b|no such file or directory|can't cd to/i],
];

/** Exit codes by which shells tell that a command could not be run or was ended. */
const CODES: Readonly<Record<number, EnvironmentCause>> = {
  126: "permission",
  127: "missing-tool",
  124: "time-limit",
  137: "killed",
  143: "killed",
};

/** The cause in the script's environment that an output or an exit code points to; null when nothing does. */
export function environmentCause(output: string, exitCode: number | null): EnvironmentCause | null {
  const said = SIGNS.find(([, sign]) => sign.test(output))?.[0];
  return said ?? (exitCode === null ? null : (CODES[exitCode] ?? null));
}

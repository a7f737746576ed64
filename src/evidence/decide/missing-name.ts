import type { Claim } from "../claim.ts";
import type { RunRecord } from "../run-record.ts";
import { claimLines } from "./claim-lines.ts";

/** A thing that a failing script used and the run time did not find. */
export interface MissingThing {
  readonly name: string;
  /** `call`: a part of the product. The others are parts of the machine. */
  readonly kind: "call" | "module" | "tool";
  /** The words that every message of this form contains, whatever is missing. */
  readonly phrase: string;
  /** The lines of the message, which may name the file in which it occurred. */
  readonly lines: string;
}

const CALL = "call";
const MODULE = "module";
const TOOL = "tool";

/**
 * The messages of the languages' run times and compilers, of shells and of Go's `os/exec`. The group is the name of the missing
 * thing.
 */
const SAID: readonly (readonly [MissingThing["kind"], string, RegExp])[] = [
  [
    CALL,
    "is not a",
    /\b(?:[\w$]{1,80}(?:\([^)\n]{0,200}\))?\.){0,9}([\w$]{1,80}) is not a (?:function|constructor)/g,
  ],
  [CALL, "does not provide an export named", /does not provide an export named '([\w$]+)'/g],
  [CALL, "has no attribute", /has no attribute '(\w+)'/g],
  [CALL, "cannot import name", /cannot import name '(\w+)'/g],
  [CALL, "undefined method", /undefined method [`'](\w+[?!=]?)'/g],
  [CALL, "undefined local variable", /undefined local variable or method [`'](\w+[?!]?)'/g],
  [CALL, "uninitialized constant", /uninitialized constant (?:\w+::)*(\w+)/g],
  [CALL, "is not defined by", /Package subpath '\.\/([^']+)' is not defined by "exports"/g],
  [CALL, "Call to undefined", /Call to undefined (?:function|method) (?:[\w\\]+(?:\\|::))?(\w+)/g],
  [CALL, "undefined: ", /^\S{1,200}\.go:\d+(?::\d+)?: undefined: (?:\w+\.)?(\w+)/gm],
  [CALL, "has no field or method", /\bhas no field or method (\w+)/g],
  [CALL, "in this scope", /cannot find (?:function|struct|value|type|macro)\b[^`\n]{0,80}`(\w+)`/g],
  [CALL, "no method named", /no (?:method|function or associated item)\b[^`\n]{0,80} named `(\w+)` found/g],
  [CALL, "unresolved import", /unresolved import `(?:\w+::)*(\w+)`/g],
  [CALL, "cannot find symbol", /cannot find symbol\n[^]{0,600}?symbol: +\w+ (\w+)/g],
  [CALL, "undefined reference to", /undefined reference to [`'‘](?:\w+::)*(\w+)/g],
  [CALL, "implicit declaration of function", /implicit declaration of function [`'‘](\w+)/g],
  [CALL, "was not declared in this scope", /[`'‘](\w+)['’] was not declared in this scope/g],
  [CALL, "has no member named", /has no member named [`'‘](\w+)/g],
  [CALL, "Undefined subroutine", /Undefined subroutine &(?:\w+::)*(\w+)/g],
  [CALL, "Can't locate object method", /Can't locate object method "(\w+)"/g],
  [CALL, "could not find function", /could not find function "([\w.]+)"/g],
  [CALL, "attempt to call a nil value", /attempt to call a nil value \((?:global|method|field) '(\w+)'\)/g],
  [MODULE, "there is no package called", /there is no package called [`'‘]([\w.]+)/g],
  [MODULE, "you may need to install the", /you may need to install the (?:\w+::)*(\w+) module/g],
  [TOOL, "failed to run command", /failed to run command [`'‘]([\w.+-]+)['’]: No such file/g],
  [MODULE, "Cannot find module", /Cannot find (?:module|package) '([^'\n]+)'/g],
  [MODULE, "No module named", /No module named '?([\w.]+)/g],
  [MODULE, "cannot load such file", /cannot load such file -- (\S+)/g],
  [MODULE, "no required module provides package", /no required module provides package ([^\s;:]+)/g],
  [MODULE, "can't find crate", /can't find crate for `(\w+)`/g],
  [TOOL, "command not found", /(?<![\w.+-])([\w.+-]{1,80}): command not found/g],
  [TOOL, "command not found", /command not found: ([\w.+-]+)/g],
  [TOOL, ": not found", /: \d+: ([\w.+-]+): not found/g],
  [TOOL, "executable file not found", /exec: "([^"\n]+)": executable file not found/g],
];

/**
 * Returns the thing that an output names as missing; null: none. The name of a module or a file is the last part of its path, as a
 * source may write it.
 */
export function missingThing(output: string): MissingThing | null {
  return missingIn(output, () => true);
}

/**
 * Returns the thing that a run names as missing in the lines that show the claim; null: none. If the claim names no text, a missing
 * program counts only if it ended the script.
 */
export function claimedMissing(
  claim: Pick<Claim, "expect">,
  { output, end }: Pick<RunRecord, "output" | "end">,
): MissingThing | null {
  const lines = claimLines(claim, output);
  const isEndedByTool = end.type === "exited" && end.exitCode === TOOL_NOT_FOUND;
  const namesText = (claim.expect?.outputContains ?? "").trim() !== "";
  return missingIn(output, (said, kind) => {
    const parts = said.split("\n");
    const isOfClaim = [parts[0], parts.at(-1)].some((part) => lines.includes(part?.trim() ?? ""));
    return isOfClaim && (kind !== TOOL || namesText || isEndedByTool);
  });
}

/** The exit code of a shell for a missing command. */
const TOOL_NOT_FOUND = 127;

function missingIn(
  output: string,
  counts: (said: string, kind: MissingThing["kind"]) => boolean,
): MissingThing | null {
  for (const [kind, phrase, pattern] of SAID) {
    const found = [...output.matchAll(pattern)].find(([said]) => counts(said, kind));
    if (found?.[1] === undefined) continue;
    const name = kind === MODULE ? lastPart(found[1]) : found[1];
    return { kind, phrase, name, lines: linesAround(output, found.index, found[0].length) };
  }
  return null;
}

function linesAround(output: string, index: number, length: number): string {
  const end = output.indexOf("\n", index + length);
  return output.slice(output.lastIndexOf("\n", index) + 1, end === -1 ? output.length : end);
}

function lastPart(module: string): string {
  const path = module.replace(/\.(?:[cm]?[jt]s|json|py|rb)$/, "");
  return path.split(/[/\\.]/).findLast((part) => part !== "") ?? module;
}

import { posix } from "node:path";
import type { Checkout } from "./checkout.ts";
import type { ReportedCode } from "./reported-code.ts";

/** Exit codes of the script, by what a run has shown. */
export const scriptExit = { absent: 0, shown: 1, broken: 70 } as const;

export interface ReproductionScript {
  text: string;
  expect: { exitCode: number; outputContains: string | null };
}

/**
 * Returns a self-contained sh script, which is run from the root of a clean checkout. It exits 1 when the bug shows:
 *
 * - what the reporter saw is in the output (and not merely as a part of what they expected); or, without that,
 * - what they expected is missing from the output; or, without either,
 * - their code fails.
 */
export function renderReproductionScript(
  code: ReportedCode,
  issueKey: string,
  { packageName, resolvesItself }: Pick<Checkout, "packageName" | "resolvesItself">,
): ReproductionScript {
  const { expected, actual } = code;
  const isLinked = packageName !== null && !resolvesItself && imports(code.code, packageName);
  const file =
    code.language === "sh" ? "reproduction.sh" : `reproduction.${isCommonJs(code.code) ? "cjs" : "mjs"}`;
  const end = unusedWord(code.code);
  return {
    text: [
      "#!/bin/sh",
      `# Reproduction of ${issueKey} with the reporter's own code.`,
      "# Exit code 1: the bug shows. 0: it does not. 70: the code could not be run at all.",
      `cat > .triage-${file} <<'${end}'`,
      code.code.trimEnd(),
      end,
      ...(isLinked ? linkLines(packageName) : []),
      `${code.language === "sh" ? "sh" : "node"} .triage-${file} > .triage-output 2>&1`,
      "status=$?",
      "cat .triage-output",
      `has() { grep -qF -e "$1" .triage-output; }`,
      `if has MODULE_NOT_FOUND || has 'does not provide an export named'; then exit ${scriptExit.broken}; fi`,
      ...verdictLines(expected.literal, actual.literal),
      `exit ${scriptExit.absent}`,
      "",
    ].join("\n"),
    expect: { exitCode: scriptExit.shown, outputContains: actual.literal },
  };
}

const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;

function imports(code: string, packageName: string): boolean {
  return [`"${packageName}`, `'${packageName}`].some((start) => code.includes(start));
}

/** Returns the lines that link the package's name to the checkout, because the reporter imports an installed package. */
function linkLines(packageName: string): string[] {
  if (!PACKAGE_NAME.test(packageName)) return [];
  const path = `node_modules/${packageName}`;
  const up = packageName.includes("/") ? "../.." : "..";
  return [
    `# ${packageName} is this checkout: let it be found under its own name.`,
    `mkdir -p '${posix.dirname(path)}' && { [ -e '${path}' ] || ln -s ${up} '${path}'; } || exit ${scriptExit.broken}`,
  ];
}

function verdictLines(expected: string | null, actual: string | null): string[] {
  const shown = `exit ${scriptExit.shown}`;
  if (actual !== null) {
    // The expected output can be mistaken for the actual one only if the actual one is a part of it.
    const isPart = expected !== null && expected.includes(actual);
    const other = isPart ? ` && ! has ${quote(expected)}` : "";
    return [`if has ${quote(actual)}${other}; then ${shown}; fi`];
  }
  if (expected !== null) return [`if ! has ${quote(expected)}; then ${shown}; fi`];
  return [`if [ "$status" -ne 0 ]; then ${shown}; fi`];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function isCommonJs(code: string): boolean {
  return /\brequire\(/.test(code) && !/^\s*import\b/m.test(code);
}

/** Returns a heredoc delimiter that is not a line of the code. */
function unusedWord(code: string): string {
  const taken = new Set(code.split("\n"));
  let word = "REPRODUCTION";
  while (taken.has(word)) word += "_";
  return word;
}

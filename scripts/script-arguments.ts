import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs, type ParseArgsConfig } from "node:util";

/**
 * `parseArgs` for a script (`import.meta.url`). `--help` prints the script's own first comment and ends the process with exit
 * code 0; an argument that is unknown or lacks its value is reported on stderr, and the exit code is 2.
 */
export function scriptArguments<const Config extends ParseArgsConfig>(
  script: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  answerHelp(script);
  try {
    return parseArgs(config);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return refuseArguments(script, error.message);
  }
}

/** Prints the script's own first comment and ends the process with exit code 0 if `--help` or `-h` is among the arguments. */
export function answerHelp(script: string): void {
  if (!process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) return;
  process.stdout.write(`${firstComment(script)}\n`);
  process.exit(0);
}

/** Prints the message and the script's own first comment on stderr, and ends the process with exit code 2. */
export function refuseArguments(script: string, message: string): never {
  process.stderr.write(`${message}\n\n${firstComment(script)}\n`);
  process.exit(2);
}

/** Returns the script's first comment without its markers. Throws if the script has none. */
function firstComment(script: string): string {
  const text = readFileSync(fileURLToPath(script), "utf8");
  const comment = /\/\*\*(.*?)\*\//s.exec(text)?.[1];
  if (comment === undefined) throw new Error(`${script} has no comment that says what it does`);
  return comment.replaceAll(/^\s*\* ?/gm, "").trim();
}

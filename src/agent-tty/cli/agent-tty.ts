#!/usr/bin/env node
import { CommanderError, type Command } from "commander";
import { buildProgram } from "./program.ts";
import { reportError, reportResult, tolerateClosedPipes } from "./report.ts";
import { usageError } from "./usage.ts";
import { version } from "./version.ts";

const INTERRUPTED_EXIT_CODE = 130;

tolerateClosedPipes();
process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const isJson = argv.includes("--json");
  const commandName = argv.find((argument) => !argument.startsWith("-")) ?? "";
  const interrupted = new AbortController();
  process.once("SIGINT", () => interrupted.abort());
  let exitCode = 0;
  const program = buildProgram(version, interrupted.signal, (command, result) => {
    exitCode = result?.exitCode ?? 0;
    if (result !== null) reportResult(command, result, isJson);
  });
  for (const command of withChildren(program)) {
    command.exitOverride().configureOutput({ writeErr: () => undefined });
  }
  try {
    await program.parseAsync(argv, { from: "user" });
    return interrupted.signal.aborted ? INTERRUPTED_EXIT_CODE : exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return reportError(commandName, error instanceof CommanderError ? usage(error) : error, isJson);
  }
}

function usage(error: CommanderError): Error {
  const seen =
    error.code === "commander.help" ? "no command was given" : error.message.replace(/^error: /, "");
  return usageError(seen.replaceAll("\n", " "), "Run `agent-tty --help` for the commands and their flags");
}

function withChildren(command: Command): Command[] {
  return [command, ...command.commands.flatMap((child) => withChildren(child))];
}

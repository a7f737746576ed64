import type { Command } from "commander";
import { nearestKey } from "../../notation/index.ts";

/**
 * Returns `release prep --help` for `help release prep` and `release help prep`, because commander's own `help` reads only one word
 * after it, and takes its exit code from the process.
 */
export function helpAsFlag(program: Command, argv: readonly string[]): readonly string[] {
  let command: Command | undefined = program;
  for (const [index, word] of argv.entries()) {
    if (word === "help") {
      const rest = argv.slice(index + 1);
      const flagsAt = rest.findIndex((other) => other.startsWith("-"));
      const words = flagsAt === -1 ? rest : rest.slice(0, flagsAt);
      return [...argv.slice(0, index), ...words, "--help", ...rest.slice(words.length)];
    }
    command = command.commands.find((sub) => sub.name() === word);
    if (command === undefined || command.commands.length === 0) return argv;
  }
  return argv;
}

/**
 * Reports an unknown command as a usage error that names the nearest command, even if `--help` follows it; commander would print
 * the general help there.
 */
export function refuseUnknownCommand(program: Command, argv: readonly string[]): void {
  let command = program;
  for (const word of argv) {
    if (word.startsWith("-") || command.commands.length === 0) return;
    const names = command.commands.map((sub) => sub.name());
    const found = command.commands.find((sub) => sub.name() === word);
    if (found === undefined) {
      const nearest = nearestKey(word, names);
      const hint = nearest === null ? `known commands: ${names.join(", ")}` : `Did you mean ${nearest}?`;
      command.error(`error: unknown command '${word}' (${hint})`, { code: "commander.unknownCommand" });
    }
    command = found as Command;
  }
}

import type { Command } from "commander";
import { nearestKey } from "../../notation/index.ts";

/**
 * Reports an unknown command as a usage error that names the nearest command, also with `--help` after it or `help`
 * before it, where commander would print the general help.
 */
export function refuseUnknownCommand(program: Command, argv: readonly string[]): void {
  let command = program;
  for (const word of argv[0] === "help" ? argv.slice(1) : argv) {
    if (word.startsWith("-") || command.commands.length === 0) return;
    const names = command.commands.map((sub) => sub.name());
    const found = command.commands.find((sub) => sub.name() === word);
    if (found === undefined) {
      if (word === "help") return;
      const nearest = nearestKey(word, names);
      const hint = nearest === null ? `known commands: ${names.join(", ")}` : `Did you mean ${nearest}?`;
      command.error(`error: unknown command '${word}' (${hint})`, { code: "commander.unknownCommand" });
    }
    command = found as Command;
  }
}

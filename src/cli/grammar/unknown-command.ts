import type { Command } from "commander";
import { nearestKey } from "../../notation/index.ts";

/** Also where `--help` follows, or `help` comes first: a usage error that names the nearest command, instead of the general help. */
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

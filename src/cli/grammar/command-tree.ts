import type { Argument, Command, Option } from "commander";

/** A command as completions and the manual page show it. */
export interface CommandNode {
  /** `release prep`; empty for the program itself. */
  path: string;
  description: string;
  options: readonly Option[];
  arguments: readonly Argument[];
  commands: readonly CommandNode[];
}

/**
 * Returns the command and all commands below it, with visible options and arguments. `path` holds the words that lead to the
 * command.
 */
export function commandTree(command: Command, path = ""): CommandNode {
  const help = command.createHelp();
  return {
    path,
    description: command.description(),
    options: help.visibleOptions(command),
    arguments: command.registeredArguments,
    commands: command.commands.map((sub) => commandTree(sub, `${path} ${sub.name()}`.trim())),
  };
}

/** Returns the command itself and all commands below it. */
export function allCommands(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(allCommands)];
}

/** Returns the last word of a command's path; empty for the program itself. */
export function nameOf({ path }: CommandNode): string {
  return path.split(" ").at(-1) ?? "";
}

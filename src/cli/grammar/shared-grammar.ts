import type { Command } from "commander";
import { directory } from "./flag-parsers.ts";

/** The groups by task in which `--help` shows the commands. */
const TASKS: Record<string, readonly string[]> = {
  "Start here:": ["demo", "init", "doctor", "config"],
  "Triage:": [
    "run",
    "fleet",
    "verify",
    "sweep",
    "duplicates",
    "backtest",
    "autonomy",
    "undo",
    "reap",
    "prune",
  ],
  "See what happened:": ["status", "list", "show", "eval", "report", "serve", "track"],
  "Act on one Triage Run:": ["attach", "watch", "send", "stop", "kill", "restore"],
  "Release:": ["release"],
};

/** Puts each command under the heading of its task in the program's help. */
export function groupByTask(program: Command): void {
  for (const [heading, names] of Object.entries(TASKS))
    for (const command of program.commands) if (names.includes(command.name())) command.helpGroup(heading);
}

/** Adds `--json` to every command without subcommands. */
export function acceptJson(command: Command): void {
  if (command.commands.length > 0) for (const sub of command.commands) acceptJson(sub);
  else
    command.option(
      "--json",
      "print the JSON document on a terminal, too, and progress on stderr as JSON lines",
    );
}

const HOME_FLAGS = new Set(["--home", "--agent-tty-home"]);

/**
 * Makes every flag that names a home refuse an empty text, such as that of a variable that is not set, because it would name the
 * working directory.
 */
export function refuseEmptyHomes(command: Command): void {
  for (const sub of command.commands) refuseEmptyHomes(sub);
  for (const option of command.options) if (HOME_FLAGS.has(option.long ?? "")) option.argParser(directory);
}

import { CommanderError, type Command } from "commander";
import type { LaunchedHost } from "../daemon/index.ts";
import { buildProgram } from "./program.ts";
import {
  type CommandResult,
  type Finish,
  reportError,
  reportLostOutput,
  reportResult,
  tolerateLostOutput,
} from "./report.ts";
import { stopOnSignals } from "./stop-signal.ts";
import { usageError } from "./usage.ts";
import { readFileSync } from "node:fs";

/**
 * The directory above this file belongs to the engine's own package when run from the sources, and to the published package when
 * bundled into dist.
 */
const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
const version: string = (JSON.parse(manifest) as { version: string }).version;

/**
 * Runs one command, reports its result or error, and resolves with the exit code. `host` is a host process that was started ahead
 * of time and that `create` takes; if it is not taken, the caller has to end it.
 */
export async function main(argv: readonly string[], host: LaunchedHost | null = null): Promise<number> {
  const stopped = new AbortController();
  const output = tolerateLostOutput(() => stopped.abort());
  let made: string | undefined;
  const keep = (result: CommandResult | null): void => void (made = result?.made);
  const { exitCode, command } = await runCommand(argv, { host, stopped, keep });
  const lost = await output.settle();
  return lost === null ? exitCode : reportLostOutput(command(), lost, made);
}

interface Surroundings {
  host: LaunchedHost | null;
  /** Ends the command early. */
  stopped: AbortController;
  keep: (result: CommandResult | null) => void;
}

/** Runs one command. Resolves with its exit code and with a function that returns the command's name as it was typed. */
async function runCommand(
  argv: readonly string[],
  { host, stopped, keep }: Surroundings,
): Promise<{ exitCode: number; command: () => string }> {
  const isJson = ownArguments(argv).includes("--json");
  const { signal, exitCode: signalled } = stopOnSignals(stopped);
  let exitCode = 0;
  const finish: Finish = (command, result) => {
    exitCode = result?.exitCode ?? 0;
    keep(result);
    if (result !== null) reportResult(command, result, isJson);
  };
  // The requested command is one of the words. If none of the words is a command, all commands are needed for the error.
  const words = new Set(ownArguments(argv));
  const build = (isWanted: (name: string) => boolean): Command =>
    buildProgram(version, signal, finish, isWanted, host);
  const some = build((name) => words.has(name));
  const program = some.commands.length > 0 ? some : build(() => true);
  for (const command of withChildren(program)) {
    command.exitOverride().configureOutput({ writeErr: () => undefined });
  }
  acceptCommonFlagsAnywhere(program);
  const command = (): string => commandNameIn(program, argv);
  try {
    await program.parseAsync(helpAsFlag(program, argv), { from: "user" });
    return { exitCode: signalled() ?? exitCode, command };
  } catch (error) {
    if (stopped.signal.aborted) return { exitCode: signalled() ?? exitCode, command };
    if (error instanceof CommanderError && error.exitCode === 0) return { exitCode: 0, command };
    const thrown = error instanceof CommanderError ? usage(error, command(), program) : error;
    return { exitCode: reportError(command(), thrown, isJson), command };
  }
}

/**
 * Returns the arguments with `help record export` and `record help export` replaced by `record export --help`, also after common
 * flags. Other arguments are returned unchanged.
 */
function helpAsFlag(program: Command, argv: readonly string[]): readonly string[] {
  const at = firstWordIn(argv);
  const [first = "", ...others] = argv.slice(at);
  const isGroup = (childOf(program, first)?.commands.length ?? 0) > 0;
  if (first !== "help" && !(isGroup && others[0] === "help")) return argv;
  const names = first === "help" ? others : [first, ...others.slice(1)];
  return [...argv.slice(0, at), ...names, ...(namesUnknown(program, names) ? [] : ["--help"])];
}

/**
 * Returns the index of the first argument that is neither a common flag nor the value of one, or the number of arguments if there
 * is none.
 */
function firstWordIn(argv: readonly string[]): number {
  const at = argv.findIndex(
    (argument, index) => !argument.startsWith("-") && (index === 0 || argv[index - 1] !== "--home"),
  );
  return at === -1 ? argv.length : at;
}

/** Returns whether a command or group of this name is missing where one is expected. */
function namesUnknown(command: Command, [name, ...others]: readonly string[]): boolean {
  if (name === undefined || name.startsWith("-") || command.commands.length === 0) return false;
  const child = childOf(command, name);
  return child === undefined || namesUnknown(child, others);
}

/** Makes `agent-tty --home DIR create …` mean the same as `agent-tty create --home DIR …`. */
function acceptCommonFlagsAnywhere(program: Command): void {
  program.option("--home <dir>", "where Sessions live (default: AGENT_TTY_HOME or ~/.agent-tty)");
  program.option("--json", "one JSON document on stdout");
  program.hook("preAction", (_, command) => {
    // Nearest first: of the command itself, of its group, of the program.
    const homes = [command, command.parent, program].map((one) => one?.opts<{ home?: string }>().home);
    command.setOptionValue(
      "home",
      homes.find((home) => home !== undefined),
    );
  });
}

/** Returns the arguments before `--`. Those after it belong to the program that is started. */
function ownArguments(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return end === -1 ? argv : argv.slice(0, end);
}

/** Returns the command as it was typed: "record export" for a subcommand, or the unknown word if it is not a command. */
function commandNameIn(program: Command, argv: readonly string[]): string {
  const words = ownArguments(argv).filter((argument) => !argument.startsWith("-"));
  const at = words.findIndex((word) => childOf(program, word) !== undefined);
  if (at === -1) return words[0] ?? "";
  const [name = "", next = ""] = words.slice(at);
  const group = childOf(program, name);
  return group !== undefined && childOf(group, next) !== undefined ? `${name} ${next}` : name;
}

function childOf(command: Command, name: string): Command | undefined {
  return command.commands.find((child) => child.name() === name);
}

function usage(error: CommanderError, command: string, program: Command): Error {
  const seen =
    error.code === "commander.help"
      ? "no command was given"
      : error.message.replace(/^error: /, "").replace(/\.$/, "");
  const isKnown = childOf(program, command.split(" ", 1)[0] ?? "") !== undefined;
  const remedy = isKnown
    ? `Run \`agent-tty ${command} --help\` for its flags and an example`
    : "Run `agent-tty --help` for the commands and their flags";
  return usageError(seen.replaceAll("\n", " "), remedy);
}

function withChildren(command: Command): Command[] {
  return [command, ...command.commands.flatMap((child) => withChildren(child))];
}

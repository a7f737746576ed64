import { Command } from "commander";
import type { LaunchedHost } from "../daemon/index.ts";
import type { SessionStatus } from "../home/index.ts";
import { systemClock } from "../kit/index.ts";
import { addCaptureCommands } from "./capture-commands.ts";
import { openCommandHome } from "./command-home.ts";
import { addExamples } from "./examples.ts";
import { addHomeCommands, addLifecycleCommands, addSkillCommands } from "./lifecycle-commands.ts";
import { addLiveCommands } from "./live-commands.ts";
import { type Finish, reportWarnings } from "./report.ts";
import type { StopSignal } from "./stop-signal.ts";
import { UnwantedCommand } from "./unwanted-command.ts";
import { oneOf, positiveNumber, usageError, wholeNumber } from "./usage.ts";

const FORMATS = ["text", "structured"] as const;
const STATUSES = ["running", "exiting", "exited", "failed", "destroying", "destroyed"] as const;

/** The help text of `--json` for commands that write their output as it arrives. */
const ONLY_ERRORS = "an error as one JSON document on stdout";
/**
 * The narrowest column in which a description in a help text is wrapped. Commander's default of 40 does not fit a terminal of 67
 * columns.
 */
const MIN_HELP_COLUMNS = 12;

interface SnapshotArguments {
  home?: string;
  format?: string;
  atSeq?: string;
  includeCells?: boolean;
  includeScrollback?: boolean;
}

/**
 * Builds the command line. The heavy parts are loaded by the command that needs them. `isWanted` returns whether a command of
 * this name may be the requested one; the others are left out. `launched` is a host process that `create` may take.
 */
export function buildProgram(
  version: string,
  signal: StopSignal,
  finish: Finish,
  isWanted: (name: string) => boolean = () => true,
  launched: LaunchedHost | null = null,
): Command {
  const program = new Command("agent-tty").description(
    "Terminal Sessions: start, drive, view, replay and export.",
  );
  program.version(version, "-V, --version", "the version of agent-tty");
  program
    .helpCommand("help [command...]", "the help of one command")
    .enablePositionalOptions()
    .configureHelp({ minWidthToWrap: MIN_HELP_COLUMNS });
  const begin = (usage: string): Command =>
    isWanted(usage.split(" ", 1)[0] ?? "") ? program.command(usage) : new UnwantedCommand();
  const withCommonFlags = (command: Command, description: string, json: string): Command =>
    command
      .description(description)
      .option("--home <dir>", "where Sessions live (default: AGENT_TTY_HOME or ~/.agent-tty)")
      .option("--json", json);
  const add = (usage: string, description: string, json = "one JSON document on stdout"): Command =>
    withCommonFlags(begin(usage), description, json);

  add("list", "the active Sessions")
    .option("--all", "all Sessions")
    .option("--status <status>", "only those with this status")
    .action(async (options: { home?: string; all?: boolean; status?: string }) => {
      const status: SessionStatus | null =
        options.status === undefined ? null : oneOf("--status", options.status, STATUSES);
      const { list } = await import("./commands/list.ts");
      finish("list", await list(await openCommandHome(options.home), { all: options.all ?? false, status }));
    });

  add("inspect <id>", "one Session's manifest, status policy, Event Log and artifacts").action(
    async (id: string, options: { home?: string }) => {
      const { inspect } = await import("./commands/inspect.ts");
      finish("inspect", await inspect(await openCommandHome(options.home), id));
    },
  );

  add("snapshot <id>", "the screen of a Session, live or from its Event Log")
    .option("--format <format>", "text or structured (default: text)")
    .option("--include-cells", "every cell with its style; implies --format structured")
    .option("--include-scrollback", "the scrollback as well")
    .option("--at-seq <n>", "as it was at this event")
    .action(async (id: string, options: SnapshotArguments) => {
      const cells = options.includeCells ?? false;
      const format = oneOf("--format", options.format ?? (cells ? "structured" : "text"), FORMATS);
      if (cells && format === "text")
        throw usageError(
          "--include-cells has no place in text",
          "Leave one of --format and --include-cells out",
        );
      const detail = { cells, scrollback: options.includeScrollback ?? false };
      const atSeq = options.atSeq === undefined ? null : wholeNumber("--at-seq", options.atSeq, 0);
      const { snapshot } = await import("./commands/snapshot.ts");
      finish("snapshot", await snapshot(await openCommandHome(options.home), id, { format, atSeq, detail }));
    });

  const group = (name: string, description: string): Command =>
    withCommonFlags(begin(name), description, "one JSON document on stdout").helpCommand(false);
  addCaptureCommands(add, group, signal, finish);
  addLiveCommands(add, signal, finish, launched);
  addLifecycleCommands(add, signal, finish);
  addHomeCommands(group, finish);
  addSkillCommands(group, finish);

  add("play <recording>", "play a Session or an asciicast file in this terminal", ONLY_ERRORS)
    .option("--speed <n>", "the speed factor", "1")
    .option("--idle-limit <seconds>", "longest pause shown")
    .action(async (target: string, options: { home?: string; speed: string; idleLimit?: string }) => {
      const speed = positiveNumber("--speed", options.speed);
      const idleLimitMs =
        options.idleLimit === undefined
          ? Number.POSITIVE_INFINITY
          : positiveNumber("--idle-limit", options.idleLimit) * 1000;
      const { play } = await import("./commands/play.ts");
      const write = (bytes: Uint8Array): void => void process.stdout.write(bytes);
      await play(() => openCommandHome(options.home), target, {
        speed,
        idleLimitMs,
        clock: systemClock,
        signal: signal(),
        write,
      });
      finish("play", null);
    });

  add("follow <id>", "the Event Log as JSON lines while it grows", ONLY_ERRORS)
    .option("--from-seq <n>", "start at this event", "1")
    .action(async (id: string, options: { home?: string; fromSeq: string }) => {
      const { follow } = await import("./commands/follow.ts");
      const fromSeq = wholeNumber("--from-seq", options.fromSeq, 1);
      const home = await openCommandHome(options.home);
      reportWarnings("follow", await follow(home, id, fromSeq, signal()));
      finish("follow", null);
    });

  add("version", "the version of agent-tty").action(() =>
    finish("version", { result: { version }, text: version }),
  );

  addExamples(program);
  return program;
}

import { type Command, Option } from "commander";
import { duration } from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";
import type { AwaitedState, TrackRequest } from "./track-command.ts";

const UNTIL: readonly AwaitedState[] = ["ready", "active", "success", "exited"];
const TOOLS = ["claude", "codex", "gemini", "opencode"];

const EXAMPLES = `
Examples:
  afk-triage track 01J9Z6Q0W3N5Y8T4B2C7D1E6FG
  afk-triage track 01J9Z6Q0W3N5Y8T4B2C7D1E6FG --once
  afk-triage track 01J9Z6Q0W3N5Y8T4B2C7D1E6FG --until ready --timeout 5m
  afk-triage track 01J9Z6Q0W3N5Y8T4B2C7D1E6FG --agent-tty-home ~/.agent-tty --tool codex --replay
`;

/** Declares `track SESSION`, which prints the states of a Session's coding TUI as JSON lines on stdout, one line per change. */
export function addTrackCommand(program: Command, context: CommandContext): void {
  program
    .command("track")
    .description("Reports what the coding TUI in a Session does: JSON lines on stdout, one per change.")
    .argument("<session>", "the Session's id, as `afk-triage show N` prints it")
    .option("--home <dir>", "the program's home (default ~/.afk-triage)")
    .option("--agent-tty-home <dir>", "the Session is in this home of agent-tty")
    .addOption(new Option("--tool <name>", "the TUI (default: as recorded in the Session)").choices(TOOLS))
    .option("--tool-version <version>", "the TUI's version (default: as recorded in the Session)")
    .option("--replay", "replay the Session from its start (default for a Session that has ended)")
    .addOption(new Option("--once", "print one state, then exit").conflicts("until"))
    .addOption(new Option("--until <state>", "exit once the TUI is in this state").choices(UNTIL))
    .option("--timeout <duration>", "with --until: give up after this (default 10m)", duration)
    .addHelpText("after", EXAMPLES)
    .action(async (session: string, options: TrackRequest) => {
      const { trackSession } = await import("./track-command.ts");
      context.exitWith(await trackSession(session, options, await context.output()));
    });
}

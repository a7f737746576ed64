import type { Command } from "commander";
import { wholeNumber } from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";
import type { ServeRequest } from "./serve-command.ts";

const DEFAULT_PORT = 7878;

/** Declares `serve`, which serves the board until it is stopped. */
export function addServeCommand(program: Command, context: CommandContext): void {
  program
    .command("serve")
    .description("Serves the board on this machine: every Triage Run, live and after it has ended.")
    .option("--home <dir>", "the program's home (default ~/.afk-triage)")
    .option("--port <n>", "the port; 0 chooses a free one", wholeNumber(0, 65_535), DEFAULT_PORT)
    .option("--host <address>", "a loopback address", "127.0.0.1")
    .option(
      "--allow-control",
      "let the board send text to Triage Agents, and stop, kill, verify and rerun Triage Runs",
    )
    .option("--new-token", "create a new token: earlier URLs stop working")
    .addHelpText(
      "after",
      "\nExamples:\n  afk-triage serve\n  afk-triage serve --port 0 --allow-control\n" +
        "\nWith AFK_TRIAGE_DATABASE_URL it shows the Triage Runs of all workers of that fleet (docs/fleet.md).",
    )
    .action(async (options: ServeRequest) => {
      const { serveBoard } = await import("./serve-command.ts");
      context.exitWith(await serveBoard(options, await context.output()));
    });
}

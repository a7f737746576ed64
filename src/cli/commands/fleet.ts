import { type Command, Option } from "commander";
import { dollars, duration, repositories, wholeNumber } from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";
import { anyIssueFlags, type BatchOptions } from "./batch-options.ts";

/** The options as commander parses them. */
interface FleetOptions extends Omit<BatchOptions, "issue"> {
  webhookPort?: number;
  webhookHost: string;
  opsPort?: number;
  opsHost: string;
  boardPort?: number;
  boardHost: string;
  workerHome?: string;
  status?: true;
}

/** Declares `afk-triage fleet`; its code is loaded when the command runs. */
export function addFleetCommand(program: Command, context: CommandContext): void {
  program
    .command("fleet")
    .description("Triages many repositories as issues arrive, by webhooks and polling, until it is stopped.")
    .option(
      "--repo <owner/name>",
      "repository to triage (repeatable; default: all repositories of the GitHub App)",
      repositories,
      [],
    )
    .option(
      "--webhook-port <n>",
      "receive GitHub's webhooks on this port (0: any); default: only poll",
      wholeNumber(0, 65_535),
    )
    .option("--webhook-host <address>", "the address to receive them on", "127.0.0.1")
    .option(
      "--ops-port <n>",
      "serve /health, /ready and /metrics on this port (0: any); default: nowhere",
      wholeNumber(0, 65_535),
    )
    .option("--ops-host <address>", "the address to serve them on", "127.0.0.1")
    .option(
      "--board-port <n>",
      "serve the board over the fleet on this port (0: any); default: nowhere",
      wholeNumber(0, 65_535),
    )
    .option("--board-host <address>", "the address to serve it on", "127.0.0.1")
    .option("--status", "show the queue and this month's spend, then exit")
    .option(
      "--parallelism <n>",
      "issues that this process works on at once, 1-200 (default 5)",
      wholeNumber(1, 200),
    )
    .addOption(new Option("--provider <name>", "where Triage Agents work").choices(["coder", "local"]))
    .option("--config <file>", "config file (default .github/afk-triage.yml, if there is one)")
    .option("--run-deadline <duration>", "end one issue after this, e.g. 20m (the default)", duration)
    .option("--run-budget-usd <amount>", "what one issue may cost", dollars)
    .option("--home <dir>", "where recordings and records are kept; workers share it (default ~/.afk-triage)")
    .option(
      "--worker-home <dir>",
      "where this worker keeps its databases, if workers run on several machines",
    )
    .option("--verbose", "show the log on stderr, too")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  afk-triage fleet --repo owner/name --repo owner/other --provider local\n" +
        "  afk-triage fleet --webhook-port 8080 --webhook-host 0.0.0.0\n" +
        "  AFK_TRIAGE_DATABASE_URL=postgresql://user:password@host/fleet afk-triage fleet --parallelism 10\n" +
        "  afk-triage fleet --status --json\n" +
        "\nWithout AFK_TRIAGE_DATABASE_URL one process works on a SQLite file of its home; with it, as many as you start.\n" +
        "SIGTERM: no new issue is started, and running ones may finish within fleet.grace. A second signal exits at once.\n" +
        "Environment: GITHUB_TOKEN or AFK_TRIAGE_APP_ID, AFK_TRIAGE_DATABASE_URL, AFK_TRIAGE_WEBHOOK_SECRET, CODER_URL;\n" +
        "see docs/configuration.md for all variables and for the keys under `fleet`.\n" +
        "Exit codes: 0 status shown, 1 failed or replaced by other workers, 2 usage, 4 preflight failed, 130/143 signalled.",
    )
    .action(async (options: FleetOptions) => {
      const { fleetCommand, fleetStatusCommand } = await import("./fleet-command.ts");
      const request = {
        flags: anyIssueFlags(options),
        webhook:
          options.webhookPort === undefined ? null : { port: options.webhookPort, host: options.webhookHost },
        operation: options.opsPort === undefined ? null : { port: options.opsPort, host: options.opsHost },
        board: options.boardPort === undefined ? null : { port: options.boardPort, host: options.boardHost },
        workerHome: options.workerHome ?? null,
      };
      const view = {
        output: await context.output(),
        asJson: options.json ?? false,
        isVerbose: options.verbose ?? false,
      };
      const run = options.status === true ? fleetStatusCommand : fleetCommand;
      context.exitWith(await run(request, view));
    });
}

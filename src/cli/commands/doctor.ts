import { type Command, Option } from "commander";
import type { RunFlags } from "../../config/index.ts";
import { repositories } from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";

interface DoctorOptions {
  repo: RunFlags["repo"];
  provider?: "coder" | "local";
  config?: string;
  home?: string;
  fleet?: true;
  json?: boolean;
}

/** Declares `afk-triage doctor`; its code is loaded when the command runs. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command("doctor")
    .description("Checks everything a Triage Batch needs, and says how to fix what is missing.")
    .option("--repo <owner/name>", "repository to be triaged (repeatable)", repositories, [])
    .addOption(new Option("--provider <name>", "where Triage Agents work").choices(["coder", "local"]))
    .option("--config <file>", "config file (default .github/afk-triage.yml, if there is one)")
    .option("--home <dir>", "the program's home (default ~/.afk-triage)")
    .option("--fleet", "check what a fleet needs, too: database, GitHub App, webhook, quota, clocks")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  afk-triage doctor --repo owner/name\n" +
        "  afk-triage doctor --repo owner/name --provider local\n" +
        "  afk-triage doctor --fleet --json\n" +
        "\nExit codes: 0 nothing failed, 1 something did, 2 usage.",
    )
    .action(async ({ json = false, ...options }: DoctorOptions) => {
      const { doctorCommand } = await import("./doctor-command.ts");
      context.exitWith(await doctorCommand(options, { output: await context.output(), asJson: json }));
    });
}

import { type Command, Option } from "commander";
import type { RunFlags } from "../../config/index.ts";
import { repositories } from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";

interface ConfigOptions {
  repo: RunFlags["repo"];
  provider?: "coder" | "local";
  config?: string;
  home?: string;
}

/** Declares `afk-triage config`; its code is loaded when the command runs. */
export function addConfigCommand(program: Command, context: CommandContext): void {
  program
    .command("config")
    .description(
      "Shows the resolved configuration, and where each value comes from. Secrets are never shown.",
    )
    .option("--repo <owner/name>", "the repository, as for `run` (repeatable)", repositories, [])
    .addOption(new Option("--provider <name>", "where Triage Agents work").choices(["coder", "local"]))
    .option("--config <file>", "config file (default .github/afk-triage.yml, if there is one)")
    .option("--home <dir>", "the program's home (default ~/.afk-triage)")
    .addHelpText("after", "\nExample:\n  afk-triage config --config .github/afk-triage.yml")
    .action(async (options: ConfigOptions) => {
      const { configCommand } = await import("./config-command.ts");
      context.exitWith(await configCommand(options, await context.output()));
    });
}

import { Argument, type Command } from "commander";
import { completionScript, type CompletionShell, completionShells } from "../grammar/index.ts";
import type { CommandContext } from "../command-context.ts";

/** Declares `afk-triage completion`, which prints a completion script derived from the declared commands. */
export function addCompletionCommand(program: Command, context: CommandContext): void {
  program
    .command("completion")
    .description("Prints a script that completes commands and options in your shell.")
    .addArgument(new Argument("<shell>", "the shell").choices(completionShells))
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  source <(afk-triage completion bash)\n" +
        "  afk-triage completion fish > ~/.config/fish/completions/afk-triage.fish",
    )
    .action(async (shell: CompletionShell) => {
      (await context.output()).text(completionScript(program, shell));
    });
}

import { type Command, InvalidArgumentError, Option } from "commander";
import { duration, repositories } from "../grammar/index.ts";
import type { ReleaseFinalizeOptions } from "./release-finalize-command.ts";
import type { ReleaseNotesOptions } from "./release-notes-command.ts";
import type { ReleasePrepOptions } from "./release-prep-command.ts";
import type { CommandContext } from "../command-context.ts";

/** Declares `afk-triage release prep`, `finalize` and `notes`; their code is loaded when one of them runs. */
export function addReleaseCommands(program: Command, context: CommandContext): void {
  const release = program
    .command("release")
    .description("Prepares, finalizes and describes a release of the repository in the current directory.")
    .addHelpText("after", "\nExample:\n  afk-triage release prep --push");
  addPrep(release, context);
  addFinalize(release, context);
  addNotes(release, context);
}

function addPrep(release: Command, context: CommandContext): void {
  withSharedOptions(release.command("prep"))
    .description(
      "Writes the next version and its changelog to a release branch and verifies it; creates no tag.",
    )
    .addOption(
      new Option("--bump <level>", "use this level instead of the one that commits and changelog imply")
        .choices(["major", "minor", "patch"])
        .conflicts("version"),
    )
    .option("--version <version>", "exactly this version", semanticVersion)
    .option(
      "--version-file <path>",
      "a further file that contains the version exactly once, in quotes (repeatable)",
      listed,
      [],
    )
    .option(
      "--setup <command>",
      "a command that prepares the checkout (repeatable; default npm ci)",
      listed,
      [],
    )
    .option(
      "--verify <command>",
      "a command that must succeed (repeatable; default npm run check)",
      listed,
      [],
    )
    .addOption(
      new Option("--verify-timeout <duration>", "the time limit of one command")
        .argParser(duration)
        .default(30 * 60_000, "30m"),
    )
    .option("--push", "push the release branch once it is verified")
    .option("--dry-run", "say what would be written; write nothing")
    .option("--config <file>", "config file (default .github/afk-triage.yml, if there is one)")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  afk-triage release prep --dry-run\n" +
        '  afk-triage release prep --bump minor --verify "npm run check" --push\n' +
        "\nExit codes: 0 prepared, 1 a verification command or git failed, 2 usage, 4 this checkout cannot be released from.",
    )
    .action(async (options: ReleasePrepOptions) => {
      const { releasePrepCommand } = await import("./release-prep-command.ts");
      context.exitWith(await releasePrepCommand(options, await context.output()));
    });
}

function addFinalize(release: Command, context: CommandContext): void {
  withSharedOptions(release.command("finalize"))
    .description("Tags the prepared release once it is merged to the default branch.")
    .option("--version <version>", "only if this version is the one that was merged", semanticVersion)
    .option("--sign", "sign the tag (default: as git's tag.gpgSign says)")
    .option("--push", "publish the tag: the Publish Pipeline starts from it")
    .option("--dry-run", "say what would be tagged; write nothing")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  afk-triage release finalize --dry-run\n" +
        "  afk-triage release finalize --sign --push\n" +
        "\nExit codes: 0 tagged, 1 git failed, 2 usage, 4 nothing is merged that could be tagged.",
    )
    .action(async (options: ReleaseFinalizeOptions) => {
      const { releaseFinalizeCommand } = await import("./release-finalize-command.ts");
      context.exitWith(await releaseFinalizeCommand(options, await context.output()));
    });
}

function addNotes(release: Command, context: CommandContext): void {
  withSharedOptions(release.command("notes"))
    .description("Writes release notes, with the confirmed regressions that are still open.")
    .argument("[what]", "a version or a range; default: what is not released yet", "")
    .option("--repo <owner/name>", "the repository whose stored reproductions count", repositories, [])
    .option("--gate", "exit with 3 while a confirmed regression is open")
    .option("--out <file>", "also write the Markdown to this file")
    .option("--config <file>", "config file (default .github/afk-triage.yml, if there is one)")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  afk-triage release notes --gate\n" +
        "  afk-triage release notes v1.2.0 --out notes.md\n" +
        "  afk-triage release notes v1.0.0..v1.2.0\n" +
        "\nExit codes: 0 written, 1 git failed, 2 usage, 3 the gate is closed, 4 preflight failed.",
    )
    .action(async (what: string, options: ReleaseNotesOptions) => {
      const { releaseNotesCommand } = await import("./release-notes-command.ts");
      context.exitWith(await releaseNotesCommand(what, options, await context.output()));
    });
}

function withSharedOptions(command: Command): Command {
  return command
    .option("--remote <name>", "git remote", "origin")
    .option("--home <dir>", "the program's home (default ~/.afk-triage)");
}

function listed(text: string, earlier: readonly string[]): string[] {
  if (text.trim() === "") throw new InvalidArgumentError("Expected some text.");
  return [...earlier, text];
}

/**
 * Returns a version without its `v`. It is checked only loosely: a later check refuses invalid semver with an error code, and this
 * keeps the semver library out of `--help`.
 */
function semanticVersion(text: string): string {
  const version = text.replace(/^v/, "");
  if (/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.test(version)) return version;
  throw new InvalidArgumentError("Expected a version such as 1.2.0.");
}

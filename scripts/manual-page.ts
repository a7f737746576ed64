import type { Command, Option } from "commander";
import remarkMan from "remark-man";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { allCommands, type CommandNode, commandTree } from "../src/cli/grammar/command-tree.ts";

export interface ManualPageRequest {
  /** The program's own command definitions, with which it parses its arguments. */
  program: Command;
  version: string;
}

/**
 * Returns the manual page afk-triage(1) as roff: every command with its options, defaults and examples, from the program's own
 * command definitions.
 */
export async function manualPage({ program, version }: ManualPageRequest): Promise<string> {
  const root = commandTree(program);
  const text = [
    `# afk-triage(1) -- ${withoutStop(root.description)}`,
    "## SYNOPSIS",
    "**afk-triage** *command* [*options*]",
    "## DESCRIPTION",
    DESCRIPTION,
    "## COMMANDS",
    ...allCommands(root)
      .filter(({ path, commands }) => path !== "" && commands.length === 0)
      .flatMap((node) => commandSection(node, find(program, node.path))),
    "## ENVIRONMENT",
    ENVIRONMENT,
    "## FILES",
    FILES,
    "## EXIT STATUS",
    EXIT_STATUS,
  ].join("\n\n");
  const page = await unified()
    .use(remarkParse)
    // The date is fixed, so that the same source produces the same page.
    .use(remarkMan, { name: "afk-triage", section: 1, version, manual: "", date: new Date(0) })
    .process(text);
  return String(page);
}

function commandSection(node: CommandNode, command: Command | null): string[] {
  const operands = node.arguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `*${name}*` : `[*${name}*]`;
  });
  const options = node.options
    .filter(({ long }) => long !== "--help")
    .map((option) => `* **${plain(option.flags)}**: ${plain(describe(option))}`);
  const examples = command === null ? "" : examplesOf(command);
  return [
    `### ${[node.path, ...operands].join(" ")}`,
    plain(node.description),
    ...(options.length === 0 ? [] : [options.join("\n")]),
    ...(examples === "" ? [] : ["Examples:", "```\n" + examples + "\n```"]),
  ];
}

function describe({ description, defaultValue, defaultValueDescription, argChoices }: Option): string {
  const shown: unknown = defaultValueDescription ?? defaultValue;
  const isTold = (typeof shown === "string" && shown !== "") || typeof shown === "number";
  return [
    description,
    ...(isTold ? [`(default: ${shown})`] : []),
    ...(argChoices === undefined ? [] : [`(one of ${argChoices.join(", ")})`]),
  ].join(" ");
}

/** Returns the text under "Examples:" in the command's help. */
function examplesOf(command: Command): string {
  let help = "";
  command.configureOutput({ writeOut: (text) => void (help += text) });
  command.outputHelp();
  const [, after = ""] = help.split("\nExamples:\n");
  const [examples = ""] = after.split("\n\n");
  return examples.trimEnd().replaceAll(/^ {2}/gm, "");
}

function find(program: Command, path: string): Command | null {
  return path
    .split(" ")
    .reduce<Command | null>(
      (parent, name) => parent?.commands.find((command) => command.name() === name) ?? null,
      program,
    );
}

/** Escapes a description, which is text and not Markdown. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>#]/g, "\\$&");
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, "");
}

const DESCRIPTION =
  "Queries a repository's **needs-triage** issues and its **needs-info** issues whose reporter has answered. For each it creates one disposable Coder workspace, drives a Triage Agent in it, runs a bug's reproduction itself in a place the Triage Agent never was, validates the proposed outcome, applies labels and one comment, and destroys the Coder workspace. A command answers people on a terminal; in a pipe, or with **--json**, stdout is one JSON document.";

const ENVIRONMENT = [
  "* **GITHUB\\_TOKEN**: the credential for GitHub. It never enters a Coder workspace.",
  "* **CODER\\_URL**, **CODER\\_SESSION\\_TOKEN**: the Coder deployment and its token.",
  "* **AFK\\_TRIAGE\\_MARKER\\_KEY**: signs the marker in every comment; the same value on every machine.",
  "* **NO\\_COLOR**, **FORCE\\_COLOR**: switch colours off or on.",
].join("\n");

const FILES = [
  "* *.github/afk-triage.yml*: what belongs to the repository. All keys: docs/configuration.md.",
  "* *~/.afk-triage*: the home: the store, recordings, logs. **afk-triage prune** bounds it.",
].join("\n");

const EXIT_STATUS = [
  "* **0**: done, also when issues were skipped or locked",
  "* **1**: the batch itself failed",
  "* **2**: usage: a flag, the environment, the config file",
  "* **3**: an issue failed, or a Coder workspace is stranded",
  "* **4**: preflight failed; the remedy is printed",
  "* **130**, **143**: stopped by SIGINT or SIGTERM, in good order",
].join("\n");

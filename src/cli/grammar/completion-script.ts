import type { Command, Option } from "commander";
import { allCommands, type CommandNode, commandTree, nameOf } from "./command-tree.ts";

export const completionShells = ["bash", "zsh", "fish"] as const;
export type CompletionShell = (typeof completionShells)[number];

/**
 * Returns a completion script for the user's shell, made from the program's own grammar: it completes commands, options and
 * choices, else file names.
 */
export function completionScript(program: Command, shell: CompletionShell): string {
  const tree = commandTree(program);
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](tree);
}

function flagsOf({ options }: CommandNode): string[] {
  return options.flatMap(({ long }) => (long === null || long === undefined ? [] : [long]));
}

/** Returns the words that can follow a command: its subcommands, else the choices of its argument, and its flags. */
function wordsOf(node: CommandNode): string {
  const choices = node.arguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [...node.commands.map(nameOf), ...choices, ...flagsOf(node)].join(" ");
}

function valueOptions({ options }: CommandNode): Option[] {
  return options.filter(({ required, optional }) => required || optional);
}

/** Returns the script for bash. `PATH` in the script contains the words of the command so far, each with a space before it. */
function bashScript(tree: CommandNode): string {
  const nodes = allCommands(tree);
  const pathOf = ({ path }: CommandNode): string => (path === "" ? "" : ` ${path}`);
  const values = nodes.flatMap((node) =>
    valueOptions(node).map(
      ({ long, argChoices }) =>
        `    "${pathOf(node)}:${long}") ${argChoices === undefined ? 'COMPREPLY=($(compgen -f -- "$cur"))' : `COMPREPLY=($(compgen -W "${argChoices.join(" ")}" -- "$cur"))`}; return ;;`,
    ),
  );
  return [
    "# bash completion of afk-triage. In ~/.bashrc: source <(afk-triage completion bash)",
    "_afk_triage() {",
    '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" path="" word',
    "  COMPREPLY=()",
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case "$path $word" in',
    `      ${nodes
      .filter(({ path }) => path !== "")
      .map((node) => `"${pathOf(node)}"`)
      .join("|")}) path="$path $word" ;;`,
    "    esac",
    "  done",
    '  case "$path:$prev" in',
    ...values,
    "  esac",
    '  case "$path" in',
    ...nodes.map(
      (node) => `    "${pathOf(node)}") COMPREPLY=($(compgen -W "${wordsOf(node)}" -- "$cur")) ;;`,
    ),
    "  esac",
    "}",
    "complete -F _afk_triage afk-triage",
    "",
  ].join("\n");
}

function zshScript(tree: CommandNode): string {
  return [
    "#compdef afk-triage",
    "# zsh completion of afk-triage. In ~/.zshrc, after compinit: source <(afk-triage completion zsh)",
    ...allCommands(tree).map(zshFunction),
    'if [ "$funcstack[1]" = "_afk_triage" ]; then _afk_triage "$@"; else compdef _afk_triage afk-triage; fi',
    "",
  ].join("\n");
}

function zshFunction(node: CommandNode): string {
  const specs = node.options.flatMap((option) => {
    const { long, description, required, optional, argChoices } = option;
    if (long === null || long === undefined) return [];
    const value = argChoices === undefined ? ":value:_files" : `:value:(${argChoices.join(" ")})`;
    return [`    ${quoted(`${long}[${zshText(description)}]${required || optional ? value : ""}`)} \\`];
  });
  const functionName = zshName(node);
  if (node.commands.length === 0) {
    const choices = node.arguments.flatMap(({ argChoices }) => argChoices ?? []);
    const rest = choices.length === 0 ? "'*::argument:_files'" : `'1:argument:(${choices.join(" ")})'`;
    return [`${functionName}() {`, "  _arguments -s \\", ...specs, `    ${rest}`, "}"].join("\n");
  }
  const names = node.commands.map(
    (sub) => `    ${quoted(`${nameOf(sub)}:${sub.description.replaceAll(":", "\\:")}`)}`,
  );
  const calls = node.commands.map((sub) => `      ${nameOf(sub)}) ${zshName(sub)} ;;`);
  return [
    `${functionName}() {`,
    "  local line state commands",
    "  commands=(",
    ...names,
    "  )",
    "  _arguments -C \\",
    ...specs,
    "    '1: :->command' '*::argument:->rest'",
    '  case "$state" in',
    "    command) _describe command commands ;;",
    '    rest) case "$line[1]" in',
    ...calls,
    "    esac ;;",
    "  esac",
    "}",
  ].join("\n");
}

function zshName({ path }: CommandNode): string {
  return ["_afk_triage", ...path.split(" ").filter((word) => word !== "")].join("_");
}

function zshText(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, (sign) => `\\${sign}`);
}

function fishScript(tree: CommandNode): string {
  const lines = allCommands(tree).flatMap((node) =>
    fishWords(node).concat(node.options.flatMap((option) => fishOption(node, option))),
  );
  return ["# fish completion of afk-triage: afk-triage completion fish | source", ...lines, ""].join("\n");
}

/** Returns the lines that complete the subcommands of a command, or the choices of its argument. */
function fishWords(node: CommandNode): string[] {
  const start = `complete -c afk-triage -f -n ${quoted(fishCondition(node))}`;
  const choices = node.arguments.flatMap(({ argChoices }) => argChoices ?? []);
  return node.commands
    .map((sub) => `${start} -a ${nameOf(sub)} -d ${quoted(sub.description)}`)
    .concat(choices.map((choice) => `${start} -a ${choice}`));
}

function fishOption(node: CommandNode, { long, description, argChoices, required }: Option): string[] {
  if (long === null || long === undefined) return [];
  const value = argChoices === undefined ? (required ? " -r" : "") : ` -x -a ${quoted(argChoices.join(" "))}`;
  return [
    `complete -c afk-triage -n ${quoted(fishCondition(node))} -l ${long.slice(2)}${value} -d ${quoted(description)}`,
  ];
}

/** Returns a fish condition that is true if the words typed so far lead to this command. */
function fishCondition(node: CommandNode): string {
  const words = node.path.split(" ").filter((word) => word !== "");
  if (words.length === 0) return "__fish_use_subcommand";
  const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
  const below = node.commands.map(nameOf).join(" ");
  return [...seen, ...(below === "" ? [] : [`not __fish_seen_subcommand_from ${below}`])].join("; and ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

import { type ReadyWorkspace, shellQuote } from "../../workspaces/index.ts";
import type { TriageFiles } from "../triage-agent.ts";
import type { TriageAgentEnvironment } from "./launch-script.ts";
import type { TokenLimit } from "./token-limit.ts";
import { execBounded, programMissing } from "./program-present.ts";

export interface ClaudeCodeOptions {
  /** The Claude Code program inside the Coder workspace; `claude` unless it is not on the PATH. */
  program: string;
  /** null: Claude Code's own default. */
  model: string | null;
  /** Claude Code itself stops at this cost (`mode: print` only); null: no limit. */
  maxUsd: number | null;
  /** null: no limit. */
  tokenLimit: TokenLimit | null;
  environment: TriageAgentEnvironment;
}

/** All a triage needs: reading, running a reproduction, writing the outcome. No web, no sub-tasks, no questions. */
const TOOLS = "Bash,Read,Write,Edit,Glob,Grep";

/** Disables every call to the vendor except the model, and updates in the middle of a Triage Run. */
const QUIET: TriageAgentEnvironment = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
};

/**
 * S12: nothing in the checkout configures the Triage Agent. `--safe-mode` drops instructions (CLAUDE.md), hooks, skills,
 * plugins and MCP servers; `--setting-sources user` drops the checkout's settings files (environment, permissions);
 * `--strict-mcp-config` drops its `.mcp.json` even if safe mode should change its mind.
 */
const DEAF_TO_CHECKOUT = ["--safe-mode", "--setting-sources", "user", "--strict-mcp-config"];

const PRINT = ["--print", "--verbose", "--output-format", "stream-json", "--no-session-persistence"];

/** The variables for Claude Code: those that keep it quiet, and then the configured ones. */
export function claudeCodeEnvironment({ environment }: ClaudeCodeOptions): TriageAgentEnvironment {
  return { ...QUIET, ...environment };
}

/** argv of `mode: print`. Nobody is there to be asked, so what is not allowed is refused (`dontAsk`) and told the model. */
export function printArguments(options: ClaudeCodeOptions, files: TriageFiles): string[] {
  const budget = options.maxUsd === null ? [] : ["--max-budget-usd", String(options.maxUsd)];
  return [...PRINT, ...commonArguments(options, files), "--permission-mode", "dontAsk", ...budget];
}

/** argv of `mode: tui`. What is not allowed beforehand is asked on the screen. */
export function tuiArguments(options: ClaudeCodeOptions, files: TriageFiles): string[] {
  return [...commonArguments(options, files), "--permission-mode", "default"];
}

/**
 * Tools are allowed by name rather than by `--dangerously-skip-permissions`, which root may not use and which also
 * lifts Claude Code's guard over `.git` and its own settings.
 */
function commonArguments({ model }: ClaudeCodeOptions, files: TriageFiles): string[] {
  const tools = ["--tools", TOOLS, "--allowedTools", TOOLS];
  return [
    ...DEAF_TO_CHECKOUT,
    ...tools,
    "--add-dir",
    files.control,
    ...(model === null ? [] : ["--model", model]),
  ];
}

/**
 * The disposable HOME of a Coder workspace may never have seen Claude Code: without this its TUI opens the set-up for people.
 * A file that is there (the template's, with a login in it) stays.
 */
export const SKIP_FIRST_RUN = String.raw`[ -e "$HOME/.claude.json" ] ||
  printf '{"hasCompletedOnboarding":true,"theme":"dark"}\n' >"$HOME/.claude.json"`;

/** A program and its arguments as one POSIX shell command line, quoted. */
export function shellCommand(program: string, argv: readonly string[]): string {
  return [program, ...argv].map(shellQuote).join(" ");
}

/** No exit code of Claude Code's own. */
const NO_PROGRAM = 84;

/** Refuses a Claude Code that does not know a flag S12 rests on, before an issue is given to it. */
export async function preflightClaudeCode(
  { program }: ClaudeCodeOptions,
  workspace: ReadyWorkspace,
  signal: AbortSignal,
): Promise<string | null> {
  const look = `command -v -- ${shellQuote(program)} >/dev/null || exit ${NO_PROGRAM}`;
  const help = await execBounded(workspace, `${look}\n${shellQuote(program)} --help </dev/null`, signal);
  if (help.type === "exited" && help.exitCode === NO_PROGRAM)
    return `${programMissing(program)}; install Claude Code there (npm i -g @anthropic-ai/claude-code)`;
  if (help.type !== "exited") return `${program} --help in the Coder workspace did not end: ${help.type}`;
  if (help.exitCode !== 0)
    return `${program} --help in the Coder workspace exited with ${help.exitCode}: ${help.stderr.trim().slice(-300)}`;
  const text = Buffer.from(help.stdout).toString("utf8");
  const unknown = requiredFlags().filter((flag) => !new RegExp(`(?<![\\w-])${flag}(?![\\w-])`).test(text));
  if (unknown.length === 0) return null;
  return `${program} in the Coder workspace does not know ${unknown.join(", ")}; install Claude Code 2.1.197 or newer`;
}

function requiredFlags(): string[] {
  return [
    ...PRINT,
    ...DEAF_TO_CHECKOUT,
    "--tools",
    "--allowedTools",
    "--add-dir",
    "--permission-mode",
  ].filter((word) => word.startsWith("--"));
}

/** The version that the program reports, or null. It chooses the detector for the program's screens. */
export async function claudeCodeVersion(
  { program }: ClaudeCodeOptions,
  workspace: ReadyWorkspace,
  signal: AbortSignal,
): Promise<string | null> {
  const told = await execBounded(workspace, `${shellQuote(program)} --version </dev/null`, signal);
  if (told.type !== "exited" || told.exitCode !== 0) return null;
  return (
    /\d{1,9}\.\d{1,9}\.\d{1,9}/.exec(Buffer.from(told.stdout.slice(0, 200)).toString("utf8"))?.[0] ?? null
  );
}

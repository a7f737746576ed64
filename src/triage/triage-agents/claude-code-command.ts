import { shellQuote } from "agent-tty/kit";
import type { ReadyWorkspace } from "../../workspaces/index.ts";
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

/** The tools that a triage needs: to read, to run a reproduction and to write the outcome. No web, no sub-tasks, no questions. */
const TOOLS = "Bash,Read,Write,Edit,Glob,Grep";

/** Disables every request to the vendor except those to the model, and disables updates during a Triage Run. */
const QUIET: TriageAgentEnvironment = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
};

/**
 * Flags that keep the checkout from configuring the Triage Agent (S12). `--safe-mode` drops instructions (CLAUDE.md), hooks,
 * skills, plugins and MCP servers; `--setting-sources user` drops the checkout's settings files (environment, permissions);
 * `--strict-mcp-config` drops its `.mcp.json` even if a later safe mode does not.
 */
const DEAF_TO_CHECKOUT = ["--safe-mode", "--setting-sources", "user", "--strict-mcp-config"];

const PRINT = ["--print", "--verbose", "--output-format", "stream-json", "--no-session-persistence"];

/** Returns the variables for Claude Code: those of `QUIET`, overridden by the configured ones. */
export function claudeCodeEnvironment({ environment }: ClaudeCodeOptions): TriageAgentEnvironment {
  return { ...QUIET, ...environment };
}

/**
 * Returns argv for `mode: print`. No person can answer, so everything that is not allowed is refused (`dontAsk`), and the model
 * is informed.
 */
export function printArguments(options: ClaudeCodeOptions, files: TriageFiles): string[] {
  const budget = options.maxUsd === null ? [] : ["--max-budget-usd", String(options.maxUsd)];
  return [...PRINT, ...commonArguments(options, files), "--permission-mode", "dontAsk", ...budget];
}

/** Returns argv for `mode: tui`. Claude Code asks on the screen for everything that is not already allowed. */
export function tuiArguments(options: ClaudeCodeOptions, files: TriageFiles): string[] {
  return [...commonArguments(options, files), "--permission-mode", "default"];
}

/**
 * Returns the arguments that both modes have. Tools are allowed by name instead of `--dangerously-skip-permissions`, which root
 * may not use and which also removes Claude Code's protection of `.git` and of its own settings.
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
 * Claude Code may never have run in the disposable HOME of a Coder workspace. Without this file its TUI would open the first-run
 * set-up. An existing file (the template's, with a login) is kept.
 */
export const SKIP_FIRST_RUN = String.raw`[ -e "$HOME/.claude.json" ] ||
  printf '{"hasCompletedOnboarding":true,"theme":"dark"}\n' >"$HOME/.claude.json"`;

/** Returns a program and its arguments as one quoted POSIX shell command line. */
export function shellCommand(program: string, argv: readonly string[]): string {
  return [program, ...argv].map(shellQuote).join(" ");
}

/** An exit code that Claude Code does not use itself. */
const NO_PROGRAM = 84;

/**
 * Returns the problem if Claude Code does not know a flag that keeps the checkout from configuring it (S12), else null. It is
 * called before Claude Code gets an issue.
 */
export async function preflightClaudeCode(
  { program }: ClaudeCodeOptions,
  workspace: ReadyWorkspace,
  signal: AbortSignal,
): Promise<string | null> {
  const look = `command -v -- ${shellQuote(program)} >/dev/null || exit ${NO_PROGRAM}`;
  const help = await execBounded(workspace, `${look}\n${shellQuote(program)} --help </dev/null`, signal);
  if (help.type === "exited" && help.exitCode === NO_PROGRAM) return programMissing(program);
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

/** Returns the version that the program reports, or null. The version selects the detector for the program's screens. */
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

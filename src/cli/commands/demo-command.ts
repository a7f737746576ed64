import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OperationalError, systemClock, systemIds } from "agent-tty/kit";
import { execa } from "execa";
import {
  cleanDemoResidue,
  createProductRepository,
  type DemoGithub,
  demoIssues,
  describeDemo,
  openDemoResidence,
  startDemoGithub,
} from "../../demo/index.ts";
import { gradeLine } from "../../evidence/index.ts";
import { issueKey } from "../../github/index.ts";
import { type BatchSummary, packageFolder, runIdAt } from "../../triage/index.ts";
import { createLocalProvider, parentIdentity, workspaceName } from "../../workspaces/index.ts";
import {
  readEnvironment,
  type RunEnvironment,
  defaultRunFlags,
  type ProgramSettings,
  resolveSettings,
} from "../../config/index.ts";
import { makeHome, resolveHome } from "../../home/index.ts";
import { commandHint } from "../command-hint.ts";
import type { CliErrorCode } from "../exit-codes.ts";
import { stopOnSignals, type StopSignals, untilSignalled } from "../stop-on-signals.ts";
import { type CommandView, runWired } from "./run-batch-command.ts";

export interface DemoOptions {
  triageAgent: "scripted" | "claude-code";
  mode: "print" | "tui";
  parallelism: number;
  home?: string;
  json?: boolean;
}

/**
 * Runs `afk-triage demo`: the same program as `run`, with an emulated GitHub and a generated product. It first removes what a
 * killed earlier demo has left behind.
 */
export async function demoCommand(options: DemoOptions, view: CommandView): Promise<number> {
  using signals = stopOnSignals(view.output);
  return await untilSignalled(signals, view.output, () => playDemo(options, view, signals));
}

async function playDemo(options: DemoOptions, view: CommandView, signals: StopSignals): Promise<number> {
  const { output } = view;
  const clock = systemClock;
  const ids = systemIds(clock);
  const environment = readEnvironment(process.env);
  await requireClaudeCode(options, signals.stop);
  const home = resolveHome(options.home, environment);
  await makeHome(home);
  const demoRoot = join(home, "demo");
  const { removed, stranded } = await cleanDemoResidue({ demoRoot, clock, ids }, signals.stop);
  if (removed.length > 0) output.line(`removed ${removed.length} earlier demos`);
  for (const name of stranded) output.line(`warning: ${join(demoRoot, name)} could not be cleaned up yet`);

  await using residence = await openDemoResidence({ demoRoot, name: runIdAt(clock.nowMs()), clock });
  output.line("creating a product with real bugs, and an issue tracker on a loopback port …");
  const template = join(packageFolder("templates"), "demo-product");
  const product = await createProductRepository(
    { template, directory: join(residence.scratch, "product") },
    signals.stop,
  );
  const markerKey = ids.hex(32);
  await using github = await startDemoGithub(
    { issues: demoIssues, directory: residence.scratch, markerKey, clock, ids },
    signals.stop,
  );
  output.line(`GitHub's REST API for ${github.repo} is served at ${github.apiUrl}`);
  const settings = demoSettings(
    options,
    { home: residence.home, cloneUrl: product.cloneUrl, github },
    environment,
  );
  const before = await github.readState(signals.stop);
  await using _held = await holdLockedIssue(github, join(residence.home, "workspaces"), signals);
  const demoEnvironment = { ...offline(environment), ...accessTo(github, markerKey) };
  const { summary, exitCode } = await runWired(settings, demoEnvironment, signals, view);
  const after = await github.readState(AbortSignal.timeout(10_000));
  if (!view.asJson) {
    output.answer(["", report(summary, before, after, output.answerColumns)]);
    output.answer(["", `The same on the board: ${commandHint("afk-triage")} serve --home ${residence.home}`]);
  }
  output.document(summary);
  await _held[Symbol.asyncDispose]();
  await residence.finish();
  return exitCode;
}

/** Returns the environment without the user's own GitHub, Coder and Actions settings, which the demo ignores. */
function offline(environment: RunEnvironment): RunEnvironment {
  return {
    ...environment,
    onActions: false,
    actionsRunUrl: null,
    stepSummaryFile: null,
    outputFile: null,
    appId: null,
    appPrivateKey: null,
    trustedAuthors: [],
    coderUrl: null,
    coderToken: null,
    coderTokenFile: null,
    coderTokenCommand: null,
  };
}

function accessTo(
  github: DemoGithub,
  markerKey: string,
): Pick<RunEnvironment, "githubApiUrl" | "githubToken" | "markerKeys" | "repository"> {
  return {
    githubApiUrl: github.apiUrl,
    githubToken: github.token,
    markerKeys: [markerKey],
    repository: github.repo,
  };
}

function demoSettings(
  options: DemoOptions,
  place: { home: string; cloneUrl: string; github: DemoGithub },
  environment: RunEnvironment,
): ProgramSettings {
  const flags = {
    ...defaultRunFlags,
    home: place.home,
    repo: [place.github.repo],
    provider: "local" as const,
    parallelism: options.parallelism,
  };
  return resolveSettings(flags, environment, {
    triageAgent: options.triageAgent === "scripted" ? scriptedAgent() : claudeCode(options),
    checkout: { url: place.cloneUrl },
    reproduction: { runs: 5, timeout: 30_000 },
  });
}

function scriptedAgent(): { kind: "command"; command: string[] } {
  const program = fileURLToPath(new URL("demo-triage-agent.js", import.meta.url));
  return { kind: "command", command: [process.execPath, program] };
}

/** Returns the settings of Claude Code, with exactly the model's own variables, by name (ADR 6). */
function claudeCode({ mode }: DemoOptions): {
  kind: "claude-code";
  mode: "print" | "tui";
  env: Record<string, string>;
} {
  const names = ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"];
  const env = Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  ) as Record<string, string>;
  if (env["ANTHROPIC_API_KEY"] === undefined && env["CLAUDE_CODE_OAUTH_TOKEN"] === undefined) {
    throw new OperationalError<CliErrorCode>({
      code: "CLAUDE_CODE_MISSING",
      message:
        "start the demo with Claude Code: neither ANTHROPIC_API_KEY nor CLAUDE_CODE_OAUTH_TOKEN is set",
      remedy: "Set one of them (a key with a spending limit), or omit --triage-agent.",
    });
  }
  return { kind: "claude-code", mode, env };
}

/** Rejects if Claude Code is needed and cannot be started. It is checked once here rather than in every Triage Run. */
async function requireClaudeCode(options: DemoOptions, signal: AbortSignal): Promise<void> {
  if (options.triageAgent !== "claude-code") return;
  const { failed, shortMessage } = await execa("claude", ["--version"], {
    reject: false,
    timeout: 20_000,
    cancelSignal: signal,
    stdin: "ignore",
  });
  if (!failed) return;
  throw new OperationalError<CliErrorCode>({
    code: "CLAUDE_CODE_MISSING",
    message: `start the demo with Claude Code: ${shortMessage ?? "claude --version failed"}`,
    remedy: "Install it (npm i -g @anthropic-ai/claude-code), or omit --triage-agent.",
  });
}

/** Acts as another parent: creates a second lease on the Coder workspace name of the issue that the demo shows as locked. */
async function holdLockedIssue(
  github: DemoGithub,
  root: string,
  signals: StopSignals,
): Promise<AsyncDisposable> {
  const locked = demoIssues.find(({ expectation }) => expectation.type === "locked");
  const number = github.numbers.get(locked?.key ?? "");
  if (number === undefined) throw new Error("the demo has no issue for another parent to hold");
  const parent = await parentIdentity();
  const other = createLocalProvider({ root, clock: systemClock, ids: systemIds(systemClock), parent });
  const name = workspaceName({ repo: github.repo, number, prefix: null });
  const lease = { runId: "20260101T000000Z", issueKey: issueKey({ repo: github.repo, number }), parent };
  await other.preflight(signals.stop);
  const created = await other.create({ name, lease }, signals.stop);
  if (created.type === "locked") throw new Error(`a fresh demo finds ${name} taken`);
  let isHeld = true;
  return {
    [Symbol.asyncDispose]: async () => {
      if (!isHeld) return;
      isHeld = false;
      await other.destroy({ id: created.workspace.id, name }, AbortSignal.timeout(30_000));
    },
  };
}

function report(
  summary: BatchSummary,
  before: Awaited<ReturnType<DemoGithub["readState"]>>,
  after: Awaited<ReturnType<DemoGithub["readState"]>>,
  columns: number,
): string {
  return describeDemo({
    before,
    after,
    workingDirectory: process.cwd(),
    columns,
    player: `${commandHint("agent-tty")} play`,
    results: summary.issues.map(({ number, status, reason, outcome, policy, evidence, artifacts }) => ({
      number,
      status,
      reason,
      outcome,
      policy,
      evidence: evidence === null ? null : gradeLine(evidence),
      recordings: [
        ...(artifacts.recording === null ? [] : [{ label: "triage", path: artifacts.recording }]),
        ...(artifacts.verification === null ? [] : [{ label: "verification", path: artifacts.verification }]),
      ],
    })),
  });
}

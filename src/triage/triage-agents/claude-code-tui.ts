import type { Clock } from "agent-tty/kit";
import { trackedInput } from "../../runs/index.ts";
import {
  type ClaudeCodeTurnEnd,
  createTracker,
  driveClaudeCodeTurn,
  resolveProfile,
  type TurnTimings,
} from "../../tui/index.ts";
import { shellQuote } from "../../workspaces/index.ts";
import type { TriageAgent, TriageAgentContext, TriageAgentEnd, Usage } from "../triage-agent.ts";
import {
  type ClaudeCodeOptions,
  claudeCodeEnvironment,
  preflightClaudeCode,
  shellCommand,
  SKIP_FIRST_RUN,
  tuiArguments,
} from "./claude-code-command.ts";
import { readClaudeCodeReport } from "./claude-code-report.ts";
import { processGroupFile, writeLaunchScript } from "./launch-script.ts";
import { agentTimeoutMs, restorePrompt, stoppedOnError } from "./run-to-end.ts";

const LOOK_TIMEOUT_MS = 15_000;

/** Kind `claude-code`, `mode: tui`: one Turn of its TUI in the Session. It tells tokens but no cost. */
export function createClaudeCodeTuiAgent(
  options: ClaudeCodeOptions,
  { clock, timings }: { clock: Clock; timings: TurnTimings },
): TriageAgent {
  return {
    name: "claude-code (tui)",
    preflight: (workspace, signal) => preflightClaudeCode(options, workspace, signal),
    run: async (context) => {
      const { session, files, signal } = context;
      const claude = shellCommand(options.program, tuiArguments(options, files));
      const script = `${SKIP_FIRST_RUN}\nexec ${claude}`;
      const commandLine = await writeLaunchScript(context, claudeCodeEnvironment(options), script);
      const tracker = createTracker(resolveProfile({ tool: "claude", observedVersion: null }));
      context.offerInput(trackedInput(session, tracker, clock));
      const end = await stoppedOnError(context, () =>
        driveClaudeCodeTurn({
          session,
          commandLine,
          prompt: `Read ${files.prompt} and follow it.`,
          hasResult: () => hasOutcome(context),
          timeoutMs: agentTimeoutMs(context),
          signal,
          clock,
          timings,
        }),
      );
      if (end.type !== "exited" && end.type !== "interrupted") await restorePrompt(context);
      return agentEnd(end, await readUsage(context));
    },
  };
}

/** Only whether the file is there and closed as an object: the caller validates it. */
async function hasOutcome({ workspace, files, signal }: TriageAgentContext): Promise<boolean> {
  const outcome = shellQuote(files.outcome);
  const look = await workspace.exec(`[ -f ${outcome} ] && tail -c 16 -- ${outcome} | grep -q '}'`, {
    timeoutMs: LOOK_TIMEOUT_MS,
    signal,
  });
  return look.type === "exited" && look.exitCode === 0;
}

/** The TUI keeps its transcript in HOME, with each message's tokens: those written since this start are this run's. */
async function readUsage({ workspace, files }: TriageAgentContext): Promise<Usage> {
  const since = shellQuote(processGroupFile(files));
  const find = `find "$HOME/.claude/projects" -name '*.jsonl' -type f -newer ${since} -exec cat -- {} +`;
  return (await readClaudeCodeReport(workspace, find)).usage;
}

function agentEnd(end: ClaudeCodeTurnEnd, usage: Usage): TriageAgentEnd {
  switch (end.type) {
    case "exited":
    case "did-not-exit": {
      // A TUI that would not leave was killed after its Turn was over, which says nothing about the Turn.
      const exitCode = end.type === "exited" ? end.exitCode : 0;
      const finished = { type: "finished", exitCode, usage } as const;
      return end.failure === null ? finished : { ...finished, problem: end.failure };
    }
    case "timed-out":
    case "blocked":
    case "interrupted":
      return { ...end, usage };
    default:
      return end satisfies never;
  }
}

import { type Clock, shellQuote } from "agent-tty/kit";
import { trackedInput } from "../../runs/index.ts";
import {
  activityOf,
  driveTurn,
  type LiveTracker,
  resolveProfile,
  toolMark,
  type TuiTurnEnd,
  type TurnTimings,
} from "../../tui/index.ts";
import { readWorkspaceFile } from "../../workspaces/index.ts";
import { OUTCOME_MAX_BYTES } from "../outcome.ts";
import { parseOutcome } from "../outcome-reader/index.ts";
import type { TriageAgent, TriageAgentContext, TriageAgentEnd } from "../triage-agent.ts";
import {
  type ClaudeCodeOptions,
  claudeCodeEnvironment,
  claudeCodeVersion,
  preflightClaudeCode,
  shellCommand,
  SKIP_FIRST_RUN,
  tuiArguments,
} from "./claude-code-command.ts";
import { readClaudeCodeReport } from "./claude-code-report.ts";
import type { ClaudeCodeReport } from "./claude-code-stream.ts";
import { processGroupFile, writeLaunchScript } from "./launch-script.ts";
import { agentTimeoutMs, restorePrompt, stoppedOnError } from "./run-to-end.ts";
import { underTokenLimit } from "./token-limit.ts";

const TOOL = "claude";

/**
 * Returns the Triage Agent of kind `claude-code` with `mode: tui`. It runs one Turn of the TUI in the Session, and a second one
 * if the first left no outcome. It reports tokens but no cost, unless a gateway counts it (`ModelMeter`).
 */
export function createClaudeCodeTuiAgent(
  options: ClaudeCodeOptions,
  { clock, timings }: { clock: Clock; timings: TurnTimings },
): TriageAgent {
  return {
    name: "claude-code (tui)",
    ...(options.model === null ? {} : { model: options.model }),
    signalsActivity: true,
    tui: {
      tool: TOOL,
      version: ({ workspace, signal }) => claudeCodeVersion(options, workspace, signal),
    },
    preflight: ({ workspace, signal }) => preflightClaudeCode(options, workspace, signal),
    run: async (context) => {
      const { session, workspace, files } = context;
      const claude = shellCommand(options.program, tuiArguments(options, files));
      const script = `${SKIP_FIRST_RUN}\nexec ${claude}`;
      const commandLine = await writeLaunchScript(context, claudeCodeEnvironment(options), script);
      const observedVersion = await claudeCodeVersion(options, workspace, context.signal);
      await session.mark(toolMark({ tool: TOOL, observedVersion }));
      context.offerUsage((within) => readReport(context, within), { tellsCost: false });
      const drive = (watched: TriageAgentContext): Promise<TuiTurnEnd> =>
        driveTurn({
          session,
          commandLine,
          detection: resolveProfile({ tool: TOOL, observedVersion }),
          texts: textsOf(watched),
          farewell: "/exit",
          hasResult: () => hasReported(watched),
          onTracking: (tracker) => tell(tracker, watched, clock),
          timeoutMs: agentTimeoutMs(watched),
          signal: watched.signal,
          clock,
          timings,
        });
      const watched = await underTokenLimit(
        options.tokenLimit,
        context,
        async () => (await readReport(context)).usage,
        (limited) => stoppedOnError(limited, () => drive(limited)),
      );
      if (watched.type === "over-budget") return { ...watched, ...(await readReport(context)) };
      const end = watched.result;
      if (end.type !== "exited" && end.type !== "interrupted") await restorePrompt(context);
      return agentEnd(end, await readReport(context));
    },
  };
}

/** Returns the prompt and the reminder. Neither contains text of the issue, which is only in files. */
function textsOf({ files }: TriageAgentContext): { prompt: string; reminder: string } {
  return {
    prompt: `Read ${files.prompt} and follow it.`,
    reminder: `${files.outcome} is missing, or not what ${files.prompt} asks for. Nobody can answer questions here: decide by what you know, write that file, then end your turn.`,
  };
}

/** Passes the tracker's observations to the run owner until the Triage Agent ends. */
function tell(tracker: LiveTracker, context: TriageAgentContext, clock: Clock): void {
  context.offerInput(trackedInput(tracker, context.session, clock));
  tracker.subscribe((state) => {
    const activity = activityOf(state);
    if (activity !== null) context.signalActivity(activity);
  });
}

/**
 * Returns whether there is an outcome that the caller will accept. That outcome counts as the final report; only the end of the
 * Turn settles the prompt (C14).
 */
async function hasReported(context: TriageAgentContext): Promise<boolean> {
  const isReported = await hasOutcome(context);
  if (isReported) context.reportFinal();
  return isReported;
}

/**
 * Returns whether the outcome file is one that the caller will accept. A file that is missing or unreadable now is checked again
 * later.
 */
async function hasOutcome({ workspace, files, issueNumber, signal }: TriageAgentContext): Promise<boolean> {
  const file = await readWorkspaceFile(workspace, files.outcome, { maxBytes: OUTCOME_MAX_BYTES }, signal);
  return file.type === "content" && parseOutcome(file.bytes, issueNumber).type === "valid";
}

/**
 * Returns the usage from the transcripts that the TUI keeps in HOME, with each message's tokens. The transcripts written since
 * the start of this run belong to it.
 */
async function readReport({ workspace, files }: TriageAgentContext, within?: AbortSignal): Promise<Told> {
  const since = shellQuote(processGroupFile(files));
  const find = `find "$HOME/.claude/projects" -name '*.jsonl' -type f -newer ${since} -exec cat -- {} +`;
  const { usage, modelSessions } = await readClaudeCodeReport(workspace, find, within);
  return { usage, modelSessions };
}

type Told = Pick<ClaudeCodeReport, "usage" | "modelSessions">;

function agentEnd(end: TuiTurnEnd, told: Told): TriageAgentEnd {
  switch (end.type) {
    case "exited":
    case "did-not-exit": {
      // A TUI that did not exit was killed after the end of its Turn, which says nothing about the Turn.
      const exitCode = end.type === "exited" ? end.exitCode : 0;
      const finished = { type: "finished", exitCode, ...told } as const;
      return end.failure === null ? finished : { ...finished, problem: end.failure };
    }
    case "timed-out":
    case "blocked":
    case "interrupted":
      return { ...end, ...told };
    default:
      return end satisfies never;
  }
}

import { shellQuote } from "agent-tty/kit";
import type { TriageAgent, TriageAgentContext, Usage } from "../triage-agent.ts";
import {
  type ClaudeCodeOptions,
  claudeCodeEnvironment,
  preflightClaudeCode,
  printArguments,
  shellCommand,
} from "./claude-code-command.ts";
import { readClaudeCodeReport } from "./claude-code-report.ts";
import type { ClaudeCodeReport } from "./claude-code-stream.ts";
import { writeLaunchScript } from "./launch-script.ts";
import { runToEnd } from "./run-to-end.ts";
import { underTokenLimit } from "./token-limit.ts";

/**
 * Returns the Triage Agent of kind `claude-code` with `mode: print`. It runs `claude -p` as one Waited Run and writes its stream
 * of JSON lines to the screen and to a file.
 */
export function createClaudeCodePrintAgent(options: ClaudeCodeOptions): TriageAgent {
  return {
    name: "claude-code (print)",
    ...(options.model === null ? {} : { model: options.model }),
    signalsActivity: true,
    preflight: ({ workspace, signal }) => preflightClaudeCode(options, workspace, signal),
    run: async (context) => {
      const { files } = context;
      // Print mode has no screen to read: the process is one Turn, which is active while the process runs (H5).
      context.signalActivity("active");
      const claude = shellCommand(options.program, printArguments(options, files));
      // Standard input is the prompt file, because Claude Code would wait for more input if standard input did not end.
      // `tee -i` ignores the Ctrl-C of a stop and so saves everything that Claude Code prints, including its whole usage (T9).
      const pipeline = `${claude} <${shellQuote(files.prompt)} | tee -i ${shellQuote(streamFile(context))}`;
      const line = await writeLaunchScript(context, claudeCodeEnvironment(options), pipeline);
      const report = (within?: AbortSignal): Promise<ClaudeCodeReport> =>
        readClaudeCodeReport(context.workspace, `cat -- ${shellQuote(streamFile(context))}`, within);
      context.offerUsage(report, { tellsCost: true });
      const readUsage = async (): Promise<Usage> => (await report()).usage;
      const end = await underTokenLimit(options.tokenLimit, context, readUsage, (watched) =>
        runToEnd(watched, line),
      );
      const { problem, ...told } = await report();
      if (end.type === "over-budget" || isCostLimit(problem)) return { type: "over-budget", ...told };
      const { result } = end;
      switch (result.type) {
        case "completed": {
          const finished = { type: "finished", exitCode: result.exitCode, ...told } as const;
          return problem === null ? finished : { ...finished, problem };
        }
        case "timed-out":
          return { type: "timed-out", visibleText: result.visibleText, ...told };
        case "interrupted":
          return { type: "interrupted", exit: result.exit, ...told };
        default:
          return result satisfies never;
      }
    },
  };
}

/** Returns whether Claude Code reports that it stopped itself at `--max-budget-usd`. */
function isCostLimit(problem: string | null): boolean {
  return problem?.startsWith("error_max_budget") === true;
}

function streamFile({ files }: TriageAgentContext): string {
  return `${files.control}/claude-code.jsonl`;
}

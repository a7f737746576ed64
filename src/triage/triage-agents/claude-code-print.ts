import { shellQuote } from "../../workspaces/index.ts";
import type { TriageAgent, TriageAgentContext } from "../triage-agent.ts";
import {
  type ClaudeCodeOptions,
  claudeCodeEnvironment,
  preflightClaudeCode,
  printArguments,
  shellCommand,
} from "./claude-code-command.ts";
import { readClaudeCodeReport } from "./claude-code-report.ts";
import { writeLaunchScript } from "./launch-script.ts";
import { runToEnd } from "./run-to-end.ts";

/** Kind `claude-code`, `mode: print`: `claude -p` as one Waited Run, its stream of JSON lines on the screen and in a file. */
export function createClaudeCodePrintAgent(options: ClaudeCodeOptions): TriageAgent {
  return {
    name: "claude-code (print)",
    signalsActivity: false,
    preflight: (workspace, signal) => preflightClaudeCode(options, workspace, signal),
    run: async (context) => {
      const { files } = context;
      const claude = shellCommand(options.program, printArguments(options, files));
      // Standard input ends with the prompt: without an end Claude Code would wait for more.
      const pipeline = `${claude} <${shellQuote(files.prompt)} | tee ${shellQuote(streamFile(context))}`;
      const result = await runToEnd(
        context,
        await writeLaunchScript(context, claudeCodeEnvironment(options), pipeline),
      );
      const { usage, problem } = await readClaudeCodeReport(
        context.workspace,
        `cat -- ${shellQuote(streamFile(context))}`,
      );
      switch (result.type) {
        case "completed": {
          const finished = { type: "finished", exitCode: result.exitCode, usage } as const;
          return problem === null ? finished : { ...finished, problem };
        }
        case "timed-out":
          return { type: "timed-out", visibleText: result.visibleText, usage };
        case "interrupted":
          return { type: "interrupted", exit: result.exit, usage };
        default:
          return result satisfies never;
      }
    },
  };
}

function streamFile({ files }: TriageAgentContext): string {
  return `${files.control}/claude-code.jsonl`;
}

import { shellQuote } from "../../workspaces/index.ts";
import type { TriageAgent, TriageAgentContext } from "../triage-agent.ts";
import {
  type ClaudeCodeOptions,
  claudeCodeEnvironment,
  preflightClaudeCode,
  printArguments,
  shellCommand,
} from "./claude-code-command.ts";
import { type ClaudeCodeReport, readClaudeCodeStream } from "./claude-code-stream.ts";
import { writeLaunchScript } from "./launch-script.ts";
import { runToEnd } from "./run-to-end.ts";

const STREAM_TAIL_BYTES = 4 * 1024 * 1024;
const READ_TIMEOUT_MS = 30_000;

/** Kind `claude-code`, `mode: print`: `claude -p` as one Waited Run, its stream of JSON lines on the screen and in a file. */
export function createClaudeCodePrintAgent(options: ClaudeCodeOptions): TriageAgent {
  return {
    name: "claude-code (print)",
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
      const { usage, problem } = await readReport(context);
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

/** The end of the file holds the result. A file that cannot be read costs the usage, never the outcome. */
async function readReport(context: TriageAgentContext): Promise<ClaudeCodeReport> {
  const read = await context.workspace.exec(
    `tail -c ${STREAM_TAIL_BYTES} -- ${shellQuote(streamFile(context))}`,
    {
      timeoutMs: READ_TIMEOUT_MS,
      maxOutputBytes: STREAM_TAIL_BYTES,
    },
  );
  return readClaudeCodeStream(read.type === "exited" ? Buffer.from(read.stdout).toString("utf8") : "");
}

import { createClaudeCodePrintAgent } from "../../src/triage/index.ts";
import { question } from "../support/batch/in-process-agent.ts";
import { callTool, type ModelScript, say, startModelServer } from "../support/model-server/index.ts";
import { openGeneratedHistory } from "./generated-history.ts";

const API_KEY = "sk-ant-api03-a-key-that-must-show-nowhere-0123456789";

/** The result of a backtest through the real Claude Code. */
export interface ClaudeHistory {
  /** The number of issues with an outcome. */
  decided: number;
  /** The time of the backtest alone, without generating the history. */
  ms: number;
  /** The requests that the model server refused, as text. */
  refusals: readonly string[];
  /** The reasons why issues have no outcome. */
  failures: readonly string[];
}

/**
 * Runs a backtest of a generated history with the real Claude Code in print mode, found as `claude` on the PATH, and a scripted
 * model on loopback. `nowMs` is the clock for the measurement.
 */
export async function backtestWithClaude(issues: number, nowMs: () => number): Promise<ClaudeHistory> {
  await using history = await openGeneratedHistory(issues);
  await using model = await startModelServer(API_KEY, questioner);
  const environment = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: API_KEY };
  const options = { program: "claude", model: null, maxUsd: null, tokenLimit: null, environment };
  const beganMs = nowMs();
  const { items, failures } = await history.backtest(createClaudeCodePrintAgent(options));
  return {
    decided: items.filter(({ ours }) => ours !== null).length,
    ms: nowMs() - beganMs,
    refusals: model.refusals,
    failures,
  };
}

/** A model that reads the issue, the code and its history, and asks the reporter a question. */
const questioner: ModelScript = ({ userText, toolResults }) => {
  const failed = toolResults.find(({ isError }) => isError);
  if (failed !== undefined) return say(`A tool failed: ${failed.text}`);
  const outcomeFile = /outcome file, yours to write: (\S+)/.exec(userText)?.[1];
  if (outcomeFile === undefined) return say("The prompt names no outcome file.");
  const issue = Number(/"number":\s*(\d+)/.exec(toolResults[0]?.text ?? "")?.[1]);
  switch (toolResults.length) {
    case 0:
      return callTool("Bash", { command: 'cat "$AFK_TRIAGE_ISSUE_FILE"', description: "Read the issue" });
    case 1:
      return callTool("Bash", {
        command: "git log --oneline | head -20; cat widget.mjs",
        description: "Look",
      });
    case 2:
      return callTool("Write", {
        file_path: outcomeFile,
        content: JSON.stringify({ ...question(issue), ...ANSWER }),
      });
    default:
      return say("The outcome is written.");
  }
};

const ANSWER = {
  summary: "The report does not say how it breaks.",
  established: ["The checkout holds widget.mjs."],
  questions: ["Which version do you use?"],
};

import { shellQuote } from "../../workspaces/index.ts";
import { noUsage, type TriageAgent } from "../triage-agent.ts";
import { type TriageAgentEnvironment, writeLaunchScript } from "./launch-script.ts";
import { findProgram } from "./program-present.ts";
import { runToEnd } from "./run-to-end.ts";

export interface CommandAgentOptions {
  /** argv, started in the checkout. */
  command: readonly [string, ...string[]];
  environment: TriageAgentEnvironment;
}

/** Kind `command`: any program that keeps the Triage Agent contract. It reports no usage. */
export function createCommandAgent({ command, environment }: CommandAgentOptions): TriageAgent {
  return {
    name: `command (${command[0]})`,
    signalsActivity: false,
    preflight: (workspace, signal) => findProgram(workspace, command[0], signal),
    run: async (context) => {
      const line = await writeLaunchScript(context, environment, `exec ${command.map(shellQuote).join(" ")}`);
      const result = await runToEnd(context, line);
      switch (result.type) {
        case "completed":
          return { type: "finished", exitCode: result.exitCode, usage: noUsage };
        case "timed-out":
          return { type: "timed-out", visibleText: result.visibleText, usage: noUsage };
        case "interrupted":
          return { type: "interrupted", exit: result.exit, usage: noUsage };
        default:
          return result satisfies never;
      }
    },
  };
}

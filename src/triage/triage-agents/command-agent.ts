import { noUsage, type TriageAgent } from "../triage-agent.ts";
import { launchLine, type TriageAgentEnvironment, writeLaunchOf } from "./launch-script.ts";
import { programMissing } from "./program-present.ts";
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
    preflight: async (context) =>
      (await writeLaunchOf(command, environment, context)) ? null : programMissing(command[0]),
    run: async (context) => {
      const result = await runToEnd(context, launchLine(context.files));
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

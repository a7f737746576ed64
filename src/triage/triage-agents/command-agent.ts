import { writeFilesForProgram } from "../../workspaces/index.ts";
import { noUsage, type TriageAgent } from "../triage-agent.ts";
import { launchLine, launchOf, type TriageAgentEnvironment } from "./launch-script.ts";
import { programMissing } from "./program-present.ts";
import { runToEnd } from "./run-to-end.ts";

export interface CommandAgentOptions {
  /** argv, started in the checkout. */
  command: readonly [string, ...string[]];
  environment: TriageAgentEnvironment;
}

/** Returns the Triage Agent of kind `command`: any program that fulfils the Triage Agent contract. It reports no usage. */
export function createCommandAgent({ command, environment }: CommandAgentOptions): TriageAgent {
  return {
    name: `command (${command[0]})`,
    signalsActivity: false,
    preflight: async ({ workspace, files, signal }) => {
      const {
        program,
        files: [script],
      } = launchOf(command, environment, files);
      const file = { path: script.path, bytes: Buffer.from(script.text), executable: false };
      return (await writeFilesForProgram(workspace, program, [file], signal))
        ? null
        : programMissing(program);
    },
    launch: (files) => launchOf(command, environment, files),
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

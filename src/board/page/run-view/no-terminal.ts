import type { RunDocument } from "../../api/index.ts";

/** Returns the reason why a Triage Run has no terminal to show. */
export function whyNoTerminal({ run, history, artifacts }: RunDocument): string {
  if (history.some(({ phase }) => phase === "triaging")) {
    const isRecorded = artifacts.some(({ kind }) => kind === "recording");
    return `The Session of its Triage Agent is no longer here, or is on another machine.${isRecorded ? " Its recording is under Artifacts." : ""}`;
  }
  return run.end === null
    ? `Its Triage Agent has not started yet (${run.phase}).`
    : "This run ended before a Triage Agent was started.";
}

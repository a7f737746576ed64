import { readFile, writeFile } from "node:fs/promises";
import {
  noUsage,
  type Outcome,
  type TriageAgent,
  type TriageAgentContext,
} from "../../../src/triage/index.ts";

/**
 * Returns a Triage Agent that runs in the test's process, for the local provider: after `work` on the issue it proposes a
 * question to the reporter.
 */
export function askingAgent(
  work: (number: number, context: TriageAgentContext) => void | Promise<void> = () => undefined,
): TriageAgent {
  return proposingAgent({}, work);
}

/** The same with another proposal. */
export function proposingAgent(
  change: Partial<Outcome>,
  work: (number: number, context: TriageAgentContext) => void | Promise<void> = () => undefined,
): TriageAgent {
  return {
    name: "in-process",
    signalsActivity: false,
    preflight: () => Promise.resolve(null),
    run: async (context) => {
      const { files, signal } = context;
      const { number } = JSON.parse(await readFile(files.issue, "utf8")) as { number: number };
      await work(number, context);
      signal.throwIfAborted();
      await writeFile(files.outcome, JSON.stringify({ ...question(number), ...change }));
      return { type: "finished", exitCode: 0, usage: noUsage };
    },
  };
}

export const forbiddenAgent: TriageAgent = {
  name: "forbidden",
  signalsActivity: false,
  preflight: () => Promise.reject(new Error("no Triage Agent was to be started")),
  run: () => Promise.reject(new Error("no Triage Agent was to be started")),
};

/** Waits until the signal fires, as every Triage Agent must. */
export function waitFor(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
  });
}

export function question(issue: number): Outcome {
  return {
    schema: "afk-triage/outcome@2",
    security: { level: "none", kind: null },
    issue,
    category: "bug",
    outcome: "needs-info",
    confidence: "high",
    summary: "It depends on the version.",
    established: ["It is in widget.mjs."],
    questions: ["Which version is it?"],
    brief: null,
    reproduction: null,
    wontfix: null,
    duplicateOf: null,
  };
}

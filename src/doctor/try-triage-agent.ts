import type { Ids } from "agent-tty/kit";
import { type TriageAgent, triageFiles } from "../triage/index.ts";
import type { CoderWorkspace, CoderWorkspaceProvider } from "../workspaces/index.ts";

export interface TriedTriageAgent {
  /** null: it can start. */
  problem: string | null;
  /** The version of its coding TUI; null when it has none or does not report it. */
  version: string | null;
}

/** Asks the same as a Triage Run before it starts the Triage Agent, in a Coder workspace that is created and removed for this. */
export async function tryTriageAgent(
  candidate: TriageAgent,
  provider: CoderWorkspaceProvider,
  ids: Ids,
  signal: AbortSignal,
): Promise<TriedTriageAgent> {
  const lease = { runId: "doctor", issueKey: "doctor", parent: "doctor" };
  const created = await provider.create({ name: `doctor-${ids.hex(4)}`, lease }, signal);
  if (created.type === "locked") throw new Error("a name nobody else can have is taken");
  const { workspace } = created;
  try {
    return await preflight(candidate, workspace, signal);
  } finally {
    // Without the signal: the Coder workspace is removed whatever happened. The scratch directory goes anyway.
    await provider.destroy(workspace, new AbortController().signal);
  }
}

async function preflight(
  candidate: TriageAgent,
  made: CoderWorkspace,
  signal: AbortSignal,
): Promise<TriedTriageAgent> {
  const workspace = await made.ready(signal, () => undefined);
  const context = { workspace, files: triageFiles(workspace.directory), signal };
  const problem = await candidate.preflight(context);
  const version = problem === null ? ((await candidate.tui?.version(context)) ?? null) : null;
  return { problem, version };
}

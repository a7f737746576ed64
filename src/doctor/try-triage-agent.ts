import type { Ids } from "agent-tty/kit";
import { type TriageAgent, triageFiles } from "../triage/index.ts";
import type { CoderWorkspace, CoderWorkspaceProvider } from "../workspaces/index.ts";

export interface TriedTriageAgent {
  /** null if it can start. */
  problem: string | null;
  /** The version of its coding TUI; null when it has none or does not report it. */
  version: string | null;
}

/**
 * Runs the same preflight as a Triage Run does before it starts the Triage Agent, in a Coder workspace that is created and
 * removed for this check.
 */
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
    // The signal is not passed, because the Coder workspace has to be removed in any case. The scratch directory is removed, too.
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

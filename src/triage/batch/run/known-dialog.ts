import { OperationalError } from "agent-tty/kit";
import { recogniseTool } from "../../../tui/index.ts";
import type { PreflightContext } from "../../triage-agent.ts";
import type { BatchPorts } from "../batch-context.ts";
import type { TriageErrorCode } from "../triage-error.ts";
import { unpublishedFacts } from "../recovery/index.ts";
import type { RunInHand } from "../run-in-hand.ts";

const CODE = "TRIAGE_AGENT_DIALOG_UNKNOWN" satisfies TriageErrorCode;

/**
 * Refuses to start a TUI if an earlier Triage Run of this issue ended at one of its dialogs without a known answer and the Coder
 * workspace still has the same version, because the new run would cost money and end there again. Does not refuse when a person
 * named the issue. Rejects with TRIAGE_AGENT_DIALOG_UNKNOWN.
 */
export async function refuseKnownDialog(
  { fresh, context }: RunInHand,
  preflight: PreflightContext,
): Promise<void> {
  const { ports, settings } = context;
  const { triageAgent } = ports;
  const { ref } = fresh.issue;
  if (triageAgent.tui === undefined || settings.onlyIssues.includes(ref.number)) return;
  const before = await versionsAtDialog(ref, ports);
  if (before.size === 0) return;
  const version = await triageAgent.tui.version(preflight);
  if (version === null || !before.has(version)) return;
  throw new OperationalError<TriageErrorCode>({
    code: CODE,
    message: `start the Triage Agent ${triageAgent.name}: its version is still ${version}, which ended an earlier Triage Run of this issue at a dialog without a known answer`,
    remedy: `Install another version in the Coder workspace template, set triageAgent.mode to print, or name the issue with --issue ${ref.number}.`,
  });
}

/**
 * Returns the versions of the TUI that ended at a dialog without a known answer in the runs since the last publication. A Session
 * that is no longer kept has no known version.
 */
async function versionsAtDialog(
  ref: RunInHand["fresh"]["issue"]["ref"],
  ports: BatchPorts,
): Promise<Set<string>> {
  const versions = new Set<string>();
  for (const { progress, sessionId } of unpublishedFacts(ref, ports)) {
    if (progress.phase !== "settled" || progress.end.status !== "failed" || sessionId === null) continue;
    if (progress.end.error.code !== CODE) continue;
    const wish = { tool: null, observedVersion: null };
    const tool = await recogniseTool(ports.sessionHome, sessionId, wish).catch(() => null);
    if (tool?.observedVersion != null) versions.add(tool.observedVersion);
  }
  return versions;
}

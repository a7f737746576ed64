import type { RepositoryName } from "../../../github/index.ts";
import { decideAutonomy, factsOfType, outcomeKinds, recordOf } from "../../../trust/index.ts";
import type { AuditLog } from "../../audit/index.ts";
import type { BatchPorts } from "../batch-context.ts";
import type { BatchTrust } from "../batch-trust.ts";
import type { BatchSettings } from "../settings.ts";

interface AutonomyDeps {
  runId: string;
  settings: Pick<BatchSettings, "autonomy">;
  trust: BatchTrust;
  audit: AuditLog;
  ports: Pick<BatchPorts, "clock" | "observe">;
}

/**
 * Records the changes of autonomy that follow from the outcomes judged since the last batch (E4). It records them in the store
 * and in this batch's audit log, where a person can veto them.
 */
export async function settleAutonomy(repo: RepositoryName, context: AutonomyDeps): Promise<void> {
  const { settings, trust, audit, runId, ports } = context;
  for (const kind of outcomeKinds) {
    if (settings.autonomy[kind] !== "earned") continue;
    const facts = trust.facts(repo);
    const known = factsOfType(facts, "moved").filter(({ detail }) => detail.kind === kind).length;
    const { moves } = decideAutonomy(recordOf(kind, facts));
    for (const [index, { number, ...move }] of moves.entries()) {
      if (index < known) continue;
      const { from, to, why, judged, accepted } = move;
      await audit.append(
        "autonomy",
        { repo, number },
        { type: "autonomy-moved", kind, from, to, why, judged, accepted },
      );
      const atMs = ports.clock.nowMs();
      const key = `moved:${repo}:${kind}:${index}`;
      trust.record({ type: "moved", key, repo, number, runId, atMs, detail: { kind, ...move } });
      const message = `autonomy of ${kind} in ${repo} moves from ${from} to ${to} (${why}: ${accepted} of ${judged} outcomes accepted)`;
      ports.observe({ type: "warning", message });
    }
  }
}

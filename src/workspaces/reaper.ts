import { OperationalError } from "agent-tty/kit";
import pLimit from "p-limit";
import type { CoderWorkspaceProvider, DestroyResult, LeasedWorkspace } from "./port.ts";

export interface ReapPlan {
  destroy: { workspace: LeasedWorkspace; reason: DestroyReason }[];
  keep: { workspace: LeasedWorkspace; reason: KeepReason }[];
}

export type DestroyReason =
  | "inspection-over"
  | "stranded"
  | "parent-dead"
  | "parent-unknown-and-old"
  | "lease-unreadable-and-old";
export type KeepReason =
  | "kept-for-inspection"
  | "ours"
  | "parent-alive"
  | "parent-unknown"
  | "lease-unreadable"
  | "no-run-id";

export interface ReapContext {
  /** The `parentIdentity()` of this process. What it holds is in use now. */
  ownParent: string;
  /** A time longer than any Triage Run may take. After it, a parent whose state cannot be checked counts as gone. */
  maxAgeMs: number;
}

export interface Reaped {
  workspace: LeasedWorkspace;
  reason: DestroyReason;
  result: DestroyResult;
}

/**
 * Returns which Coder workspaces of dead parents to destroy (T5), and which to keep. `facts` is the result of a provider's
 * `list`, so ownership is already proven (S15).
 */
export function planReap(facts: readonly LeasedWorkspace[], context: ReapContext): ReapPlan {
  const plan: ReapPlan = { destroy: [], keep: [] };
  for (const workspace of facts) {
    const verdict = judge(workspace, context);
    if (verdict.type === "destroy") plan.destroy.push({ workspace, reason: verdict.reason });
    else plan.keep.push({ workspace, reason: verdict.reason });
  }
  return plan;
}

/** Each deletion asks the deployment every second or two, and the deployment limits the rate per user. */
const REAPS_AT_ONCE = 5;

/**
 * Destroys the planned Coder workspaces, five at a time, and resolves with their results. If one cannot be destroyed, the rest
 * are still destroyed. Rejects only with the signal's reason.
 */
export async function applyReap(
  plan: ReapPlan,
  provider: Pick<CoderWorkspaceProvider, "destroy">,
  signal: AbortSignal,
): Promise<Reaped[]> {
  const limit = pLimit(REAPS_AT_ONCE);
  return Promise.all(
    plan.destroy.map(({ workspace, reason }) =>
      limit(async () => {
        signal.throwIfAborted();
        const { id, name } = workspace;
        const result = await provider.destroy({ id, name }, signal).catch((error: unknown): DestroyResult => {
          if (error instanceof OperationalError) return { type: "stranded", error };
          throw error;
        });
        return { workspace, reason, result };
      }),
    ),
  );
}

type Verdict = { type: "destroy"; reason: DestroyReason } | { type: "keep"; reason: KeepReason };

function judge(
  { lease, couldCarryLease, parentState, ageMs, holdMs, inspection, isStranded }: LeasedWorkspace,
  context: ReapContext,
): Verdict {
  // Its parent no longer uses it, so it does not matter whether that parent is alive.
  if (inspection === "under-way") return { type: "keep", reason: "kept-for-inspection" };
  if (inspection === "over") return { type: "destroy", reason: "inspection-over" };
  // The parent that failed to delete it may live for months, so the reap does not wait for that parent's death.
  if (isStranded) return { type: "destroy", reason: "stranded" };
  if (lease?.parent === context.ownParent) return { type: "keep", reason: "ours" };
  // A parent on another machine may allow its Triage Runs more time than this parent does.
  const isOld = ageMs > Math.max(context.maxAgeMs, holdMs ?? 0);
  switch (parentState) {
    case "alive":
      return { type: "keep", reason: "parent-alive" };
    case "dead":
      return { type: "destroy", reason: "parent-dead" };
    case "unknown":
      if (lease === null && couldCarryLease) return { type: "keep", reason: "no-run-id" };
      if (lease === null) {
        return isOld
          ? { type: "destroy", reason: "lease-unreadable-and-old" }
          : { type: "keep", reason: "lease-unreadable" };
      }
      return isOld
        ? { type: "destroy", reason: "parent-unknown-and-old" }
        : { type: "keep", reason: "parent-unknown" };
  }
}

import type { LeasedWorkspace } from "../port.ts";
import { parentState } from "../parent-identity.ts";
import { isNameUnderPrefix } from "../workspace-name.ts";
import { PAGE_SIZE } from "./coder-api.ts";
import type { CoderContext } from "./coder-context.ts";
import type { BuildFacts, WorkspaceFacts } from "./coder-schemas.ts";
import type { HeldNames } from "./held-names.ts";
import { inspectionOf } from "./inspection.ts";
import { leaseNamesOf, readHoldMs, readLease } from "./lease-parameters.ts";

const MAX_PAGES = 100;

/**
 * Lists the Coder workspaces that are ours. Ownership is proven before anything is deleted (S15): owner, template and name must
 * all match. Each is compared here, because the server's search is only a rough filter (`name:` is ILIKE).
 */
export async function listWorkspaces(
  context: CoderContext,
  held: Pick<HeldNames, "isStranded">,
  ours: { ownerId: string; templateId: string },
  namePrefix: string,
  signal: AbortSignal,
): Promise<LeasedWorkspace[]> {
  const found = new Map<string, LeasedWorkspace>();
  const couldCarryLease = declarations(context, signal);
  const query = `owner:me template:${context.wish.template}`;
  for (let page = 0, offset = 0; page < MAX_PAGES; page += 1) {
    const { workspaces, count, serverTimeMs } = await context.api.workspacePage(query, offset, signal);
    for (const workspace of workspaces) {
      const isOurs =
        workspace.owner_id === ours.ownerId &&
        workspace.template_id === ours.templateId &&
        isNameUnderPrefix(workspace.name, namePrefix);
      if (isOurs && !found.has(workspace.id))
        found.set(
          workspace.id,
          await leased(context, held, workspace, { serverTimeMs, couldCarryLease }, signal),
        );
    }
    offset += workspaces.length;
    // A server may return shorter pages than requested.
    const isLast = count === null ? workspaces.length < PAGE_SIZE : offset >= count;
    if (isLast || workspaces.length === 0) break;
  }
  return [...found.values()];
}

/** Returns a function that tells whether the template version of a build has `run_id`. Each version is read once. */
function declarations(
  { api }: CoderContext,
  signal: AbortSignal,
): (build: Pick<BuildFacts, "template_version_id">) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return ({ template_version_id: versionId }) => {
    const found =
      known.get(versionId) ??
      api.richParameters(versionId, signal).then((parameters) => leaseNamesOf(parameters).includes("run_id"));
    known.set(versionId, found);
    return found;
  };
}

async function leased(
  context: CoderContext,
  held: Pick<HeldNames, "isStranded">,
  workspace: WorkspaceFacts,
  deployed: { serverTimeMs: number | null; couldCarryLease: ReturnType<typeof declarations> },
  signal: AbortSignal,
): Promise<LeasedWorkspace> {
  const { api, timings } = context;
  const { id, name, latest_build, ttl_ms } = workspace;
  const { serverTimeMs } = deployed;
  const parameters = await api.buildParameters(latest_build.id, signal);
  const lease = readLease(parameters);
  // If the template cannot store it, the ttl that its parent requested contains the same information.
  const ttlHoldMs = ttl_ms ? ttl_ms - timings.ttlMarginMs + timings.leaseMarginMs : null;
  return {
    id,
    name,
    lease,
    couldCarryLease: lease === null && (await deployed.couldCarryLease(latest_build)),
    ageMs: ageMs(await startOfLease(context, workspace, signal), serverTimeMs),
    holdMs: readHoldMs(parameters) ?? ttlHoldMs,
    parentState: lease === null ? "unknown" : await parentState(lease.parent),
    isStranded: held.isStranded({ id, name, lease }),
    inspection: lease === null ? "none" : await inspectionOf(context, workspace, serverTimeMs, signal),
  };
}

/**
 * Returns when the lease began. `created_at` of a claimed prebuilt Coder workspace is the creation time of the prebuild, so its
 * lease begins with the start build of the claim. Builds that stop or delete it do not make it younger.
 */
async function startOfLease(
  { api }: CoderContext,
  { id, created_at, latest_build }: WorkspaceFacts,
  signal: AbortSignal,
): Promise<string> {
  if ((latest_build.build_number ?? 1) <= 1) return created_at;
  const isStart = ({ transition }: BuildFacts): boolean => transition === "start";
  const start = isStart(latest_build) ? latest_build : (await api.builds(id, signal)).find(isStart);
  return start?.created_at ?? created_at;
}

/**
 * Returns the age in milliseconds. Without the server's time it is 0, because a wrong age would delete a Coder workspace in use.
 */
function ageMs(since: string, serverTimeMs: number | null): number {
  const sinceMs = Date.parse(since);
  return serverTimeMs === null || Number.isNaN(sinceMs) ? 0 : Math.max(0, serverTimeMs - sinceMs);
}

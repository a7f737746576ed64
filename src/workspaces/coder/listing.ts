import type { LeasedWorkspace } from "../port.ts";
import { parentState } from "../parent-identity.ts";
import { isNameUnderPrefix } from "../workspace-name.ts";
import { PAGE_SIZE } from "./coder-api.ts";
import type { CoderContext } from "./coder-context.ts";
import type { WorkspaceFacts } from "./coder-schemas.ts";
import { leaseNamesOf, readHoldMs, readLease } from "./lease-parameters.ts";

const MAX_PAGES = 100;

/** S15: ours means owner, template and name, each compared here; the server's search is only a sieve (`name:` is ILIKE). */
export async function listWorkspaces(
  context: CoderContext,
  ours: { ownerId: string; templateId: string; templateVersionId: string },
  namePrefix: string,
  signal: AbortSignal,
): Promise<LeasedWorkspace[]> {
  const found = new Map<string, LeasedWorkspace>();
  let declared: Promise<boolean> | null = null;
  const declaresRunId = (): Promise<boolean> =>
    (declared ??= context.api
      .richParameters(ours.templateVersionId, signal)
      .then((parameters) => leaseNamesOf(parameters).includes("run_id")));
  const query = `owner:me template:${context.wish.template}`;
  for (let page = 0, offset = 0; page < MAX_PAGES; page += 1) {
    const { workspaces, count, serverTimeMs } = await context.api.workspacePage(query, offset, signal);
    for (const workspace of workspaces) {
      const isOurs =
        workspace.owner_id === ours.ownerId &&
        workspace.template_id === ours.templateId &&
        isNameUnderPrefix(workspace.name, namePrefix);
      if (isOurs && !found.has(workspace.id))
        found.set(workspace.id, await leased(context, workspace, { serverTimeMs, declaresRunId }, signal));
    }
    offset += workspaces.length;
    // A server may give shorter pages than asked for.
    const isLast = count === null ? workspaces.length < PAGE_SIZE : offset >= count;
    if (isLast || workspaces.length === 0) break;
  }
  return [...found.values()];
}

async function leased(
  { api, timings }: CoderContext,
  { id, name, created_at, latest_build, ttl_ms }: WorkspaceFacts,
  { serverTimeMs, declaresRunId }: { serverTimeMs: number | null; declaresRunId: () => Promise<boolean> },
  signal: AbortSignal,
): Promise<LeasedWorkspace> {
  const parameters = await api.buildParameters(latest_build.id, signal);
  const lease = readLease(parameters);
  // Where the template cannot carry it, the ttl that its parent asked for tells the same.
  const ttlHoldMs = ttl_ms ? ttl_ms - timings.ttlMarginMs + timings.leaseMarginMs : null;
  return {
    id,
    name,
    lease,
    couldCarryLease: lease === null && (await declaresRunId()),
    ageMs: ageMs(created_at, serverTimeMs),
    holdMs: readHoldMs(parameters) ?? ttlHoldMs,
    parentState: lease === null ? "unknown" : await parentState(lease.parent),
  };
}

/** Without the server's time nothing is old: a wrong age would delete what is in use. */
function ageMs(createdAt: string, serverTimeMs: number | null): number {
  const createdMs = Date.parse(createdAt);
  return serverTimeMs === null || Number.isNaN(createdMs) ? 0 : Math.max(0, serverTimeMs - createdMs);
}

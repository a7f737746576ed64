import { z } from "zod";
import { looksLikeSecurityReport } from "../../triage/index.ts";
import type { WantedVisit } from "../queue/index.ts";
import { FINAL_MS, type RepositoryChange, repositoryChange } from "../repositories/index.ts";
import type { DeliveryPayload } from "./delivery-payload.ts";

/**
 * The actions that follow a delivery. A delivery only queues visits: at the visit, eligibility decides by GitHub's current state.
 */
export const deliveryPlan = z.object({
  visits: z.array(
    z.object({
      repositoryId: z.int(),
      number: z.int(),
      owner: z.string(),
      isUrgent: z.boolean(),
      delayMs: z.number(),
    }),
  ),
  changes: z.array(repositoryChange),
});
export interface DeliveryPlan {
  visits: WantedVisit[];
  changes: RepositoryChange[];
}

export interface Delivery {
  /** `X-GitHub-Event` */
  event: string;
  payload: DeliveryPayload;
  /** Milliseconds since the Unix epoch. It is used where GitHub's payload contains no time. */
  receivedAtMs: number;
}

/**
 * Settings for planning deliveries. They include the fleet's own accounts on GitHub, because their writes must not trigger
 * visits.
 */
export interface DeliveryRules {
  /**
   * The time between a delivery and the visit, in milliseconds: an issue form sends `opened` and each `labeled` within a second,
   * and one visit handles all of them.
   */
  quietMs: number;
  accountId: number | null;
  appId: number | null;
}

/** The longest text of an issue that GitHub accepts, in characters. */
const MAX_TEXT = 65_536;

/**
 * Returns the visits and repository changes that one delivery causes; both are empty for the fleet's own events and for other event
 * types. Pure.
 */
export function planDelivery(delivery: Delivery, rules: DeliveryRules): DeliveryPlan {
  switch (delivery.event) {
    case "issues":
    case "issue_comment":
      return { visits: planVisits(delivery, rules), changes: [] };
    case "installation":
    case "installation_repositories":
      return { visits: [], changes: planInstallation(delivery) };
    case "repository":
      return { visits: [], changes: planRepository(delivery) };
    default:
      return { visits: [], changes: [] };
  }
}

function planVisits({ payload }: Delivery, rules: DeliveryRules): WantedVisit[] {
  const { repository, issue, comment, sender } = payload;
  if (repository === undefined || issue === undefined || "pull_request" in issue) return [];
  const isOwn =
    (sender?.id !== undefined && sender.id === rules.accountId) ||
    (rules.appId !== null && comment?.performed_via_github_app?.id === rules.appId);
  // A comment by another bot does not make an issue eligible (S14).
  if (isOwn || (comment !== undefined && sender?.type === "Bot")) return [];
  const isReply = comment?.user?.id !== undefined && comment.user.id === issue.user?.id;
  const text = {
    title: issue.title.slice(0, MAX_TEXT),
    body: (issue.body ?? "").slice(0, MAX_TEXT),
    labels: (issue.labels ?? []).map(({ name }) => name),
  };
  const isUrgent = isReply || looksLikeSecurityReport(text, []);
  const owner = repository.full_name.split("/")[0] ?? "";
  return [{ repositoryId: repository.id, number: issue.number, owner, isUrgent, delayMs: rules.quietMs }];
}

const INSTALLATION_STATES: Record<string, "active" | "suspended" | "deleted"> = {
  created: "active",
  unsuspend: "active",
  suspend: "suspended",
  deleted: "deleted",
};

function planInstallation({ event, payload, receivedAtMs }: Delivery): RepositoryChange[] {
  const { installation, action = "" } = payload;
  if (installation === undefined) return [];
  const installationId = installation.id;
  const atMs = installation.updated_at ?? receivedAtMs;
  const follow = payload.repositories_added ?? (action === "created" ? payload.repositories : []) ?? [];
  const changes: RepositoryChange[] = [
    // The repository may have been renamed while the App did not cover it, so that no delivery reported its name.
    ...follow.flatMap(({ id: repositoryId, full_name: name }) => [
      { type: "follow", repositoryId, name, installationId, atMs } as const,
      { type: "rename", repositoryId, name, atMs } as const,
    ]),
    ...(payload.repositories_removed ?? []).map(
      ({ id, full_name: name }) => ({ type: "leave", repositoryId: id, name, atMs }) as const,
    ),
  ];
  const state = event === "installation" ? INSTALLATION_STATES[action] : undefined;
  if (state === undefined) return changes;
  return [
    { type: "installation", installationId, state, atMs: state === "deleted" ? FINAL_MS : atMs },
    ...changes,
  ];
}

function planRepository({ payload, receivedAtMs }: Delivery): RepositoryChange[] {
  const { repository, action, installation } = payload;
  if (repository === undefined) return [];
  const { id: repositoryId, full_name: name, updated_at: atMs = receivedAtMs } = repository;
  // The deletion did not update the repository's record, and its owner may restore the repository.
  if (action === "deleted")
    return [{ type: "leave", repositoryId, name, atMs: Math.max(atMs, receivedAtMs) }];
  switch (action) {
    case "renamed":
    case "transferred":
      return [{ type: "rename", repositoryId, name, atMs }];
    // Nothing can be written to an archived repository.
    case "archived":
      return [{ type: "leave", repositoryId, name, atMs }];
    case "unarchived":
      return [{ type: "follow", repositoryId, name, installationId: installation?.id ?? null, atMs }];
    default:
      return [];
  }
}

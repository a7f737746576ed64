import { z } from "zod";
import type {
  Issue,
  IssueComment,
  IssueRef,
  LabelEvent,
  Person,
  Reaction,
  Repository,
  RepositoryName,
} from "../port.ts";

/** The schemas below describe the parts of GitHub's answers that this program uses; other fields are ignored. */
export const userSchema = z.object({ id: z.int(), login: z.string().min(1), type: z.string().optional() });

const present = z.unknown().optional();

export const repositorySchema = z.object({
  id: z.int(),
  full_name: z.string(),
  clone_url: z.string(),
  default_branch: z.string(),
  private: z.boolean(),
  archived: z.boolean().nullish(),
  has_issues: z.boolean().nullish(),
  permissions: z.record(z.string(), z.boolean()).nullish(),
});

export const issueSchema = z.object({
  number: z.int().positive(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(["open", "closed"]),
  state_reason: z.string().nullish(),
  locked: z.boolean().nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string() })])),
  user: userSchema.nullish(),
  performed_via_github_app: present,
  created_at: z.string(),
  updated_at: z.string(),
  pull_request: present,
  html_url: z.string(),
  comments: z.int().nullish(),
  reactions: z.object({ total_count: z.int().nullish() }).nullish(),
  milestone: z.object({ title: z.string() }).nullish(),
});

export const reactionSchema = z.object({
  content: z.string(),
  user: userSchema.nullish(),
  created_at: z.string(),
});

export const commentSchema = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: userSchema.nullish(),
  performed_via_github_app: present,
  created_at: z.string(),
  updated_at: z.string(),
  html_url: z.string(),
  minimized: z.unknown().optional(),
  author_association: z.string().nullish(),
});

export const eventSchema = z.object({
  event: z.string(),
  actor: userSchema.nullish(),
  created_at: z.string(),
  label: z.object({ name: z.string() }).nullish(),
});

export const labelSchema = z.object({ name: z.string() });

/** The account in whose name GitHub shows what all deleted accounts wrote. It cannot be registered. */
const DELETED = "ghost";

/**
 * Returns a person for an account; null: it was deleted. It is a bot if its type says so or an app acted for it; its name does not
 * count.
 */
export function toPerson(
  user: z.infer<typeof userSchema> | null | undefined,
  viaApp?: unknown,
): Person | null {
  if (user === null || user === undefined || user.login === DELETED) return null;
  const isApp = viaApp !== null && viaApp !== undefined;
  return { id: user.id, login: user.login, isBot: user.type === "Bot" || isApp };
}

/** Returns a repository of GitHub's REST API. `canTriage` is null when GitHub does not report the permissions. */
export function toRepository(name: RepositoryName, wire: z.infer<typeof repositorySchema>): Repository {
  const { permissions } = wire;
  const canTriage = permissions
    ? ["triage", "push", "maintain", "admin"].some((permission) => permissions[permission] === true)
    : null;
  return {
    id: wire.id,
    name,
    cloneUrl: wire.clone_url,
    defaultBranch: wire.default_branch,
    isPrivate: wire.private,
    isArchived: wire.archived ?? false,
    hasIssues: wire.has_issues ?? true,
    canTriage,
  };
}

/** Returns an issue or pull request of GitHub's REST API. Times stay ISO 8601 strings. */
export function toIssue(repo: RepositoryName, wire: z.infer<typeof issueSchema>): Issue {
  const ref: IssueRef = { repo, number: wire.number };
  return {
    ref,
    title: wire.title,
    body: wire.body ?? "",
    state: wire.state,
    stateReason: wire.state_reason ?? null,
    locked: wire.locked ?? false,
    labels: wire.labels.map((label) => (typeof label === "string" ? label : label.name)),
    author: toPerson(wire.user, wire.performed_via_github_app),
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
    isPullRequest: wire.pull_request !== undefined && wire.pull_request !== null,
    url: wire.html_url,
    commentCount: wire.comments ?? 0,
    reactionCount: wire.reactions?.total_count ?? 0,
    milestone: wire.milestone?.title ?? null,
  };
}

/** Returns a comment of GitHub's REST API. */
export function toComment(wire: z.infer<typeof commentSchema>): IssueComment {
  return {
    id: wire.id,
    body: wire.body ?? "",
    author: toPerson(wire.user, wire.performed_via_github_app),
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
    url: wire.html_url,
    ...(wire.minimized ? { isMinimised: true } : {}),
    ...(isAffiliation(wire.author_association) ? { isAffiliated: true } : {}),
  };
}

/** Returns whether an author's association means that the author has access to the repository. */
export function isAffiliation(association: string | null | undefined): boolean {
  return ["OWNER", "MEMBER", "COLLABORATOR"].includes(association ?? "");
}

/** Returns a reaction of GitHub's REST API. `of`: its target. */
export function toReaction(
  { content, user, created_at }: z.infer<typeof reactionSchema>,
  of: Reaction["of"],
): Reaction {
  return { of, content, author: toPerson(user), createdAt: created_at };
}

/** Returns an event that added or removed a label; an empty list for any other event. */
export function toLabelEvent(wire: z.infer<typeof eventSchema>): LabelEvent[] {
  if ((wire.event !== "labeled" && wire.event !== "unlabeled") || !wire.label) return [];
  return [
    { label: wire.label.name, action: wire.event, actor: toPerson(wire.actor), createdAt: wire.created_at },
  ];
}

const ROLES = ["admin", "maintain", "write", "triage", "read", "none"] as const;

/**
 * The schema of a person's permission. `permission` has only four values and reports "triage" as "read"; `role_name` is more exact,
 * unless it is a custom role.
 */
export const permissionSchema = z
  .object({ permission: z.string(), role_name: z.string().nullish(), user: userSchema.nullish() })
  .transform(({ permission, role_name, user }) => ({
    userId: user?.id ?? null,
    permission:
      ROLES.find((role) => role === role_name) ??
      ROLES.find((role) => role === permission) ??
      ("unknown" as const),
  }));

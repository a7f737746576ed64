import type { Attempt, CoderHttp } from "./coder-http.ts";
import { expectBody, unexpectedAnswer } from "./coder-answer.ts";
import {
  type BuildFacts,
  type BuildParameter,
  buildInfoSchema,
  buildParametersSchema,
  buildsSchema,
  entitlementsSchema,
  type CoderPreset,
  type CoderTemplate,
  type ExternalAuth,
  externalAuthSchema,
  groupSchema,
  logsSchema,
  notificationPreferencesSchema,
  notificationTemplatesSchema,
  presetsSchema,
  quotaSchema,
  type RichParameter,
  richParametersSchema,
  templateSchema,
  templatesSchema,
  userSchema,
  type WorkspaceFacts,
  workspaceSchema,
  workspacesSchema,
} from "./coder-schemas.ts";

/**
 * Coder's REST API as the operations that this adapter needs (contract: codersdk v2.35.1). Every method rejects with a
 * WorkspaceErrorCode.
 */
export interface CoderApi {
  serverVersion(signal: AbortSignal): Promise<string>;
  me(signal: AbortSignal): Promise<{ id: string; username: string }>;
  /**
   * Returns the templates with exactly this name, in the given organization or, if it is null, in all organizations that the user
   * sees.
   */
  templates(name: string, organization: string | null, signal: AbortSignal): Promise<CoderTemplate[]>;
  allTemplates(signal: AbortSignal): Promise<CoderTemplate[]>;
  /** The next three methods return an empty list if the deployment does not have the endpoint (404). */
  presets(versionId: string, signal: AbortSignal): Promise<CoderPreset[]>;
  richParameters(versionId: string, signal: AbortSignal): Promise<RichParameter[]>;
  externalAuth(versionId: string, signal: AbortSignal): Promise<ExternalAuth[]>;
  /** Returns whether a licence allows dormancy and failure clean-up; false if the deployment does not report it. */
  hasTemplateScheduling(signal: AbortSignal): Promise<boolean>;
  /**
   * Returns the names of the notifications that this user would receive; an empty list if the deployment does not report them.
   */
  notificationsOn(signal: AbortSignal): Promise<string[]>;
  /**
   * Returns the credits that this user's Coder workspaces use, and may use; null if the deployment does not have the endpoint.
   */
  quota(organizationId: string, userId: string, signal: AbortSignal): Promise<CoderQuota | null>;
  /** Makes one attempt, whose effect may be unknown. */
  createWorkspace(body: Record<string, unknown>): Promise<Attempt>;
  workspaceByName(name: string, signal: AbortSignal): Promise<WorkspaceFacts | null>;
  /** Returns the Coder workspace, or null if it was deleted or was never visible to this user. */
  workspace(id: string, signal: AbortSignal): Promise<WorkspaceFacts | null>;
  /** Returns the Coder workspace together with the server's time, or null also if the server does not report its time. */
  workspaceNow(
    id: string,
    signal: AbortSignal,
  ): Promise<{ facts: WorkspaceFacts; serverTimeMs: number } | null>;
  /** Sets the time, counted from the end of a start build, after which the server stops it. */
  setTimeToLive(id: string, ttlMs: number, signal: AbortSignal): Promise<void>;
  /** Marks it as a favorite of its owner. The mark itself has no effect. */
  markFavorite(id: string, signal: AbortSignal): Promise<void>;
  /** Moves the time at which the server stops it; `deadlineMs` since the epoch, at least half an hour from now. */
  extendDeadline(id: string, deadlineMs: number, signal: AbortSignal): Promise<void>;
  /** Returns the id of a group; null if the organization has no group of that name, or the user may not see it. */
  group(organizationId: string, name: string, signal: AbortSignal): Promise<string | null>;
  /** Allows the members of a group to connect to it, stop it and start it, but not to change or delete it. */
  shareWithGroup(id: string, groupId: string, signal: AbortSignal): Promise<void>;
  buildParameters(buildId: string, signal: AbortSignal): Promise<BuildParameter[]>;
  /** Returns the builds, newest first; an empty list if the Coder workspace was deleted in the meantime. */
  builds(id: string, signal: AbortSignal): Promise<BuildFacts[]>;
  workspacePage(query: string, offset: number, signal: AbortSignal): Promise<WorkspacePage>;
  /** Starts a build. It makes one attempt, whose effect may be unknown. */
  startBuild(id: string, transition: "stop" | "delete"): Promise<Attempt>;
  /** Requests the cancellation; the build itself shows whether it succeeded. */
  cancelBuild(buildId: string, expectedStatus: "pending" | "running", signal: AbortSignal): Promise<void>;
  buildLogs(buildId: string, signal: AbortSignal): Promise<string[]>;
  agentLogs(agentId: string, signal: AbortSignal): Promise<string[]>;
}

/** Credits of a Coder user; `budget` is null if there is no limit. */
export interface CoderQuota {
  consumed: number;
  budget: number | null;
}

export interface WorkspacePage {
  workspaces: WorkspaceFacts[];
  /** The total of all pages; null when the server does not report it. */
  count: number | null;
  serverTimeMs: number | null;
}

export const PAGE_SIZE = 100;

/** Creates the client of Coder's REST API. */
export function createCoderApi(http: CoderHttp): CoderApi {
  const get = (path: string, attempted: string, signal: AbortSignal, query?: Record<string, string>) =>
    http.send({ method: "GET", path, attempted, ...(query === undefined ? {} : { query }) }, signal);
  const optionalWorkspace = async (path: string, attempted: string, signal: AbortSignal) => {
    const answer = await get(path, attempted, signal);
    if (answer.status === 404 || answer.status === 410) return null;
    return expectBody(workspaceSchema, attempted, answer);
  };
  const logs = async (path: string, attempted: string, signal: AbortSignal) =>
    expectBody(logsSchema, attempted, await get(path, attempted, signal)).map(({ output }) => output);

  const change = async (
    method: "PUT" | "PATCH",
    path: string,
    attempted: string,
    body: unknown,
    signal: AbortSignal,
  ): Promise<void> => {
    const answer = await http.send({ method, path, attempted, ...(body === null ? {} : { body }) }, signal);
    if (answer.status !== 200 && answer.status !== 204) throw unexpectedAnswer(attempted, answer);
  };

  return {
    serverVersion: async (signal) => {
      const attempted = "read the version of the Coder deployment";
      return expectBody(buildInfoSchema, attempted, await get("/buildinfo", attempted, signal)).version;
    },
    me: async (signal) => {
      const attempted = "read the Coder user of the token";
      return expectBody(userSchema, attempted, await get("/users/me", attempted, signal));
    },
    templates: async (name, organization, signal) => {
      const attempted = `find the Coder template ${name}`;
      if (organization === null) {
        const query = { q: `exact_name:${name}` };
        const answer = await get("/templates", attempted, signal, query);
        return expectBody(templatesSchema, attempted, answer).filter((template) => template.name === name);
      }
      const path = `/organizations/${encodeURIComponent(organization)}/templates/${encodeURIComponent(name)}`;
      const answer = await get(path, attempted, signal);
      return answer.status === 404 ? [] : [expectBody(templateSchema, attempted, answer)];
    },
    allTemplates: async (signal) => {
      const attempted = "list the Coder templates";
      return expectBody(templatesSchema, attempted, await get("/templates", attempted, signal));
    },
    presets: async (versionId, signal) => {
      const attempted = "read the presets of the Coder template";
      const answer = await get(`/templateversions/${versionId}/presets`, attempted, signal);
      return answer.status === 404 ? [] : expectBody(presetsSchema, attempted, answer);
    },
    richParameters: async (versionId, signal) => {
      const attempted = "read the parameters of the Coder template";
      const answer = await get(`/templateversions/${versionId}/rich-parameters`, attempted, signal);
      return answer.status === 404 ? [] : expectBody(richParametersSchema, attempted, answer);
    },
    externalAuth: async (versionId, signal) => {
      const attempted = "read the external authentication of the Coder template";
      const answer = await get(`/templateversions/${versionId}/external-auth`, attempted, signal);
      return answer.status === 404 ? [] : expectBody(externalAuthSchema, attempted, answer);
    },
    hasTemplateScheduling: async (signal) => {
      const answer = await get("/entitlements", "read what the licence of the deployment allows", signal);
      const parsed = entitlementsSchema.safeParse(answer.status === 200 ? answer.body : null);
      return parsed.data?.features.advanced_template_scheduling?.enabled === true;
    },
    quota: async (organizationId, userId, signal) => {
      const attempted = "read the quota of the Coder user";
      const path = `/organizations/${organizationId}/members/${userId}/workspace-quota`;
      const answer = await get(path, attempted, signal);
      if (answer.status === 404) return null;
      const { credits_consumed: consumed, budget } = expectBody(quotaSchema, attempted, answer);
      return { consumed, budget: budget < 0 ? null : budget };
    },
    notificationsOn: async (signal) => {
      const attempted = "read the notification settings of the Coder user";
      const templates = await get("/notifications/templates/system", attempted, signal);
      const preferences = await get("/users/me/notifications/preferences", attempted, signal);
      const all = notificationTemplatesSchema.safeParse(templates.status === 200 ? templates.body : null);
      const chosen = notificationPreferencesSchema.safeParse(
        preferences.status === 200 ? preferences.body : undefined,
      );
      if (!all.success || !chosen.success || preferences.status !== 200) return [];
      const isOn = new Map(chosen.data.map(({ id, disabled }) => [id, disabled !== true]));
      return all.data
        .filter(({ id, enabled_by_default }) => isOn.get(id) ?? enabled_by_default !== false)
        .map(({ name }) => name);
    },
    createWorkspace: (body) =>
      http.attempt({
        method: "POST",
        path: "/users/me/workspaces",
        body,
        attempted: `create the Coder workspace ${String(body["name"])}`,
      }),
    workspaceByName: (name, signal) =>
      optionalWorkspace(
        `/users/me/workspace/${encodeURIComponent(name)}`,
        `look for the Coder workspace ${name}`,
        signal,
      ),
    workspace: (id, signal) =>
      optionalWorkspace(`/workspaces/${encodeURIComponent(id)}`, `look at the Coder workspace ${id}`, signal),
    workspaceNow: async (id, signal) => {
      const attempted = `look at the Coder workspace ${id}`;
      const answer = await get(`/workspaces/${encodeURIComponent(id)}`, attempted, signal);
      if (answer.status === 404 || answer.status === 410) return null;
      const facts = expectBody(workspaceSchema, attempted, answer);
      return answer.serverTimeMs === null ? null : { facts, serverTimeMs: answer.serverTimeMs };
    },
    setTimeToLive: (id, ttlMs, signal) =>
      change(
        "PUT",
        `/workspaces/${encodeURIComponent(id)}/ttl`,
        "set how long a Coder workspace is kept",
        { ttl_ms: ttlMs },
        signal,
      ),
    markFavorite: (id, signal) =>
      change(
        "PUT",
        `/workspaces/${encodeURIComponent(id)}/favorite`,
        "mark a Coder workspace as kept",
        null,
        signal,
      ),
    extendDeadline: (id, deadlineMs, signal) =>
      change(
        "PUT",
        `/workspaces/${encodeURIComponent(id)}/extend`,
        "extend the deadline of a Coder workspace",
        { deadline: new Date(deadlineMs).toISOString() },
        signal,
      ),
    group: async (organizationId, name, signal) => {
      const attempted = `find the Coder group ${name}`;
      const path = `/organizations/${encodeURIComponent(organizationId)}/groups/${encodeURIComponent(name)}`;
      const answer = await get(path, attempted, signal);
      return answer.status === 404 ? null : expectBody(groupSchema, attempted, answer).id;
    },
    shareWithGroup: (id, groupId, signal) =>
      change(
        "PATCH",
        `/workspaces/${encodeURIComponent(id)}/acl`,
        "share a Coder workspace with a group",
        { group_roles: { [groupId]: "use" } },
        signal,
      ),
    buildParameters: async (buildId, signal) => {
      const attempted = "read the lease of a Coder workspace";
      const answer = await get(`/workspacebuilds/${buildId}/parameters`, attempted, signal);
      // The Coder workspace was deleted after it was listed.
      if (answer.status === 404 || answer.status === 410) return [];
      return expectBody(buildParametersSchema, attempted, answer);
    },
    builds: async (id, signal) => {
      const attempted = "list the builds of a Coder workspace";
      const answer = await get(`/workspaces/${encodeURIComponent(id)}/builds`, attempted, signal);
      if (answer.status === 404 || answer.status === 410) return [];
      return expectBody(buildsSchema, attempted, answer);
    },
    workspacePage: async (query, offset, signal) => {
      const attempted = "list the Coder workspaces";
      const page = { q: query, limit: String(PAGE_SIZE), offset: String(offset) };
      const answer = await get("/workspaces", attempted, signal, page);
      const { workspaces, count } = expectBody(workspacesSchema, attempted, answer);
      return { workspaces, count: count ?? null, serverTimeMs: answer.serverTimeMs };
    },
    startBuild: (id, transition) =>
      http.attempt({
        method: "POST",
        path: `/workspaces/${encodeURIComponent(id)}/builds`,
        body: { transition },
        attempted: `${transition} the Coder workspace ${id}`,
      }),
    cancelBuild: async (buildId, expectedStatus, signal) => {
      const attempted = `cancel the ${expectedStatus} build of a Coder workspace`;
      const request = { method: "PATCH", path: `/workspacebuilds/${buildId}/cancel`, attempted } as const;
      const answer = await http.send({ ...request, query: { expect_status: expectedStatus } }, signal);
      // 400: the build is already over; 412: it is in another state by now; 403: not permitted. The next read of the build
      // decides.
      if (![200, 400, 403, 404, 412].includes(answer.status)) throw unexpectedAnswer(attempted, answer);
    },
    buildLogs: (buildId, signal) =>
      logs(`/workspacebuilds/${buildId}/logs`, "read the log of the Coder workspace build", signal),
    agentLogs: (agentId, signal) =>
      logs(`/workspaceagents/${agentId}/logs`, "read the log of the Coder workspace agent", signal),
  };
}

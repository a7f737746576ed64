import { systemClock } from "agent-tty/kit";
import type { IssueRef, RepositoryName } from "../../../src/github/index.ts";
import { worldPeople } from "./github-world.ts";
import type { RecordedRequest } from "./recording-proxy.ts";

type As = (login: string, method: string, path: string, body?: object) => Promise<unknown>;

/**
 * How the emulated GitHub treats suggestions. `on`: as in the public preview. `silent`: it accepts them and drops them.
 * `sets-labels`: it sets a suggested label as a label. A number: the status of every answer.
 */
export type SuggestionsMode = "on" | "silent" | "sets-labels" | 403 | 404 | 422 | 500;

/** One suggestion, in the shape of GitHub's API. */
export interface StoredSuggestion {
  id: number;
  action: string;
  state: string;
  target_value: string;
  rationale: string;
  confidence: string;
  actor_id: number;
  resolved_by: number | null;
  updated_at: string;
}

/** The actions of people and tests on suggestions. */
export interface SuggestionVerbs {
  mode: SuggestionsMode;
  of(ref: IssueRef): StoredSuggestion[];
  /** Adds a suggestion of another account. */
  add(ref: IssueRef, by: string, label: string): Promise<void>;
  resolve(ref: IssueRef, by: string, label: string, state: "approved" | "dismissed"): Promise<void>;
}

export interface EmulatedAnswer {
  status: number;
  body: string;
}

/**
 * Emulates suggested labels, which the emulated GitHub lacks: their own endpoints, and labels in the form of objects. `respond`
 * answers a request of the credential, or returns null to leave it to the emulated GitHub.
 */
export function emulatedSuggestions(
  repo: RepositoryName,
  as: As,
): {
  verbs: SuggestionVerbs;
  respond: (request: Omit<RecordedRequest, "status">) => Promise<EmulatedAnswer | null>;
} {
  const stored = new Map<number, StoredSuggestion[]>();
  let nextId = 500;
  const of = (issue: number): StoredSuggestion[] => stored.get(issue) ?? [];
  const idOf = async (login: string): Promise<number> =>
    ((await as(login, "GET", "/user")) as { id: number }).id;
  const now = (): string => new Date(systemClock.nowMs()).toISOString();
  const labelsOf = (issue: number): Promise<unknown> =>
    as(worldPeople.viewer, "GET", `/repos/${repo}/issues/${issue}/labels`);
  const pendingOf = (issue: number, label: string): StoredSuggestion | undefined =>
    of(issue).find(({ target_value, state }) => target_value === label && state === "pending");

  const add = async (issue: number, by: string, asked: AskedLabel): Promise<void> => {
    const actor_id = await idOf(by);
    for (const one of of(issue)) {
      const isSame = one.target_value === asked.name && one.actor_id === actor_id;
      if (isSame && one.state === "pending") one.state = "replaced";
    }
    const suggestion: StoredSuggestion = {
      id: (nextId += 1),
      action: "add_label",
      state: "pending",
      target_value: asked.name,
      rationale: asked.rationale,
      confidence: asked.confidence.toUpperCase(),
      actor_id,
      resolved_by: null,
      updated_at: now(),
    };
    stored.set(issue, [...of(issue), suggestion]);
  };

  const suggest = async (issue: number, asked: AskedLabel[], mode: SuggestionsMode): Promise<void> => {
    const names = asked.map(({ name }) => name);
    if (mode === "sets-labels")
      await as(worldPeople.viewer, "POST", `/repos/${repo}/issues/${issue}/labels`, { labels: names });
    if (mode === "on") for (const label of asked) await add(issue, worldPeople.viewer, label);
  };

  const listed = (issue: number, query: URLSearchParams): StoredSuggestion[] => {
    const state = query.get("state") ?? "pending";
    return of(issue).filter((one) => state === "all" || one.state === state);
  };

  const verbs: SuggestionVerbs = {
    mode: 404,
    of: ({ number }) => of(number),
    add: ({ number }, by, name) => add(number, by, { name, rationale: "theirs", confidence: "high" }),
    resolve: async (ref, by, label, state) => {
      const one = pendingOf(ref.number, label);
      if (one === undefined) throw new Error(`no pending suggestion of ${label}`);
      if (state === "approved")
        await as(by, "POST", `/repos/${repo}/issues/${ref.number}/labels`, { labels: [label] });
      Object.assign(one, { state, resolved_by: await idOf(by), updated_at: now() });
    },
  };

  return {
    verbs,
    respond: async ({ method, path, body }) => {
      const url = new URL(path, "http://github.test");
      const [, issue = "", rest = ""] = /\/issues\/(\d+)\/(labels|suggestions\S*)$/.exec(url.pathname) ?? [];
      const asked = rest === "labels" && method === "POST" ? askedLabels(body) : [];
      if (!rest.startsWith("suggestions") && asked.length === 0) return null;
      if (typeof verbs.mode === "number") return { status: verbs.mode, body: '{"message":"no suggestions"}' };
      if (asked.length > 0) {
        await suggest(Number(issue), asked, verbs.mode);
        return json(200, await labelsOf(Number(issue)));
      }
      if (method === "GET") return json(200, listed(Number(issue), url.searchParams));
      const [, id = "", verb = ""] = /^suggestions\/(\d+)\/(approve|dismiss)$/.exec(rest) ?? [];
      const one = of(Number(issue)).find((each) => each.id === Number(id));
      if (one === undefined || verb === "") return json(404, { message: "Not Found" });
      if (one.state !== "pending") return json(422, { message: "it is not pending" });
      const state = verb === "approve" ? "approved" : "dismissed";
      Object.assign(one, { state, resolved_by: await idOf(worldPeople.viewer), updated_at: now() });
      return json(200, one);
    },
  };
}

interface AskedLabel {
  name: string;
  rationale: string;
  confidence: string;
}

/** Returns the labels in the form of objects with `suggest: true`; the emulated GitHub itself sets the others. */
function askedLabels(body: string): AskedLabel[] {
  const { labels } = JSON.parse(body) as { labels: (string | (AskedLabel & { suggest?: boolean }))[] };
  return labels.flatMap((label) => (typeof label === "object" && label.suggest === true ? [label] : []));
}

function json(status: number, body: unknown): EmulatedAnswer {
  return { status, body: JSON.stringify(body) };
}

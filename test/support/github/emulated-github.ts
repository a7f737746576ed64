import { join } from "node:path";
import { systemClock } from "agent-tty/kit";
import { createEmulator } from "emulate";
import {
  createOctokitGithub,
  createOctokitSetup,
  type GithubSuggestions,
  type IssueComment,
  type IssueRef,
  type RepositoryName,
} from "../../../src/github/index.ts";
import { type GithubWorld, type NewIssue, worldLabels, worldPeople } from "./github-world.ts";
import { emulatedPullRequests } from "./emulated-pull-requests.ts";
import { emulatedSuggestions, type SuggestionVerbs } from "./emulated-suggestions.ts";
import { temporaryDirectory } from "../temporary-directory.ts";
import { AS_OTHERS, type RecordingProxy, startRecordingProxy } from "./recording-proxy.ts";

/** A stateful GitHub over real HTTP on loopback, with the world's people; the credential's requests go through a proxy. */
export interface EmulatedGithub extends GithubWorld, AsyncDisposable {
  /** The address of the proxy. */
  readonly apiUrl: string;
  /** The credential under test. */
  readonly token: string;
  /** Records the credential's requests (not other people's) and injects faults. */
  readonly proxy: RecordingProxy;
  /** The port, and the actions of people on suggestions; suggestions are off until `mode` enables them. */
  readonly suggestions: GithubSuggestions;
  readonly suggested: SuggestionVerbs;
}

/** A GitHub App of the emulated GitHub, as its seed data defines it. */
export interface EmulatedApp {
  app_id: number;
  slug: string;
  name: string;
  private_key: string;
  permissions: Record<string, string>;
  events: string[];
  installations: { installation_id: number; account: string; permissions?: Record<string, string> }[];
}

export async function startEmulatedGithub(
  options: {
    repo?: RepositoryName;
    users?: readonly string[];
    moreRepos?: readonly RepositoryName[];
    app?: EmulatedApp;
  } = {},
): Promise<EmulatedGithub> {
  const repo = options.repo ?? "octo/widgets";
  const [owner = "", name = ""] = repo.split("/");
  const more = (options.moreRepos ?? []).map((one) => one.split("/"));
  const logins = [
    ...new Set([
      owner,
      ...more.map(([other = ""]) => other),
      ...Object.values(worldPeople),
      ...(options.users ?? []),
    ]),
  ];
  const tokenOf = (login: string): string => `test-token-of-${login}`;

  const directory = await temporaryDirectory();
  const socket = join(directory.path, "github.sock");
  const proxy = await startRecordingProxy({
    upstreamSocket: socket,
    knownTokens: logins.map(tokenOf),
    admitsApps: options.app !== undefined,
  });
  const emulator = await createEmulator({
    service: "github",
    // On a port it would listen on every interface. net.Server.listen also accepts a path; only the type requires a number.
    port: socket as unknown as number,
    baseUrl: proxy.url,
    seed: {
      tokens: Object.fromEntries(
        logins.map((login) => [tokenOf(login), { login, scopes: ["repo", "user"] }]),
      ),
      github: {
        ...(options.app === undefined ? {} : { apps: [options.app] }),
        users: logins.map((login) => ({ login, name: login, email: `${login}@example.test` })),
        repos: [
          { owner, name, auto_init: true },
          ...more.map(([other = "", called = ""]) => ({ owner: other, name: called, auto_init: true })),
        ],
      },
    },
  });

  const as = async (login: string, method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${proxy.url}${path}`, {
      method,
      headers: {
        authorization: `token ${tokenOf(login)}`,
        "content-type": "application/json",
        [AS_OTHERS]: "yes",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`${login}: ${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return text === "" ? null : JSON.parse(text);
  };
  const existing = new Set(
    ((await as(owner, "GET", `/repos/${repo}/labels`)) as { name: string }[]).map((label) => label.name),
  );
  for (const label of worldLabels) {
    if (!existing.has(label))
      await as(owner, "POST", `/repos/${repo}/labels`, { name: label, color: "ededed" });
  }

  const pulls = emulatedPullRequests(repo, as);
  proxy.onAnswer = pulls.onAnswer;
  const suggested = emulatedSuggestions(repo, as);
  proxy.respond = suggested.respond;
  const path = (ref: IssueRef): string => `/repos/${ref.repo}/issues/${ref.number}`;
  const access = {
    apiUrl: proxy.url,
    credential: { type: "token", token: tokenOf(worldPeople.viewer) },
    userAgent: "afk-triage-test",
    clock: systemClock,
    pacing: "none",
  } as const;
  const github = createOctokitGithub(access);
  return {
    ...github,
    labelRegistry: createOctokitSetup(access).labels,
    repo,
    viewerLogin: worldPeople.viewer,
    apiUrl: proxy.url,
    token: tokenOf(worldPeople.viewer),
    proxy,
    suggested: suggested.verbs,
    ...pulls.verbs,
    createIssue: async (issue: NewIssue) => {
      const { title, body = "", labels = [], by = worldPeople.reporter, repo: into = repo } = issue;
      const created = await as(by, "POST", `/repos/${into}/issues`, { title, body, labels });
      return { repo: into, number: (created as { number: number }).number };
    },
    comment: async (ref, by, body): Promise<IssueComment> => {
      const created = (await as(by, "POST", `${path(ref)}/comments`, { body })) as { id: number };
      const comments = await github.reader.comments(ref, AbortSignal.timeout(10_000));
      const found = comments.find(({ id }) => id === created.id);
      if (found === undefined) throw new Error(`the comment ${created.id} is not listed`);
      return found;
    },
    editComment: async (ref, by, commentId, body) => {
      await as(by, "PATCH", `/repos/${ref.repo}/issues/comments/${commentId}`, { body });
    },
    editIssue: async (ref, by, change) => {
      await as(by, "PATCH", path(ref), change);
    },
    setState: async (ref, by, state) => {
      await as(by, "PATCH", path(ref), { state });
    },
    label: async (ref, by, label) => {
      await as(by, "POST", `${path(ref)}/labels`, { labels: [label] });
    },
    unlabel: async (ref, by, label) => {
      await as(by, "DELETE", `${path(ref)}/labels/${encodeURIComponent(label)}`);
    },
    lock: async (ref, by) => {
      await as(by, "PUT", `${path(ref)}/lock`, {});
    },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      await emulator.close();
      await directory[Symbol.asyncDispose]();
    },
  };
}

import type { Clock } from "agent-tty/kit";
import {
  type GithubReader,
  type GithubWriter,
  type Issue,
  type IssueComment,
  type IssueLookup,
  type IssueRef,
  type LabelEvent,
  type LabelRegistry,
  type Person,
  type Reaction,
  type RepositoryName,
  type TimelineFact,
} from "../../../src/github/index.ts";
import { gone, missing, refused } from "./fake-failures.ts";
import { type CommentVerbs, fakeCommentVerbs } from "./fake-comment-verbs.ts";
import { fakePermissions, fakeTimeline, stateFact } from "./fake-timeline.ts";
import { fakeRepository } from "./fake-repository.ts";
import { createFakePullRequests } from "./fake-pull-requests.ts";
import {
  type GithubWorld,
  type NewIssue,
  type NewPullRequest,
  worldLabels,
  worldPeople,
} from "./github-world.ts";

/** A GitHub in memory: both ports, and the people around one repository. Time comes from the clock, to the second. */
export interface FakeGithub extends GithubWorld, CommentVerbs {
  /** Every port call so far, oldest first, including failed ones. */
  readonly calls: GithubCall[];
  /**
   * Runs before and after every port call. If it throws (or rejects) before the call, nothing happens; after the call, it has
   * happened on GitHub, but the caller does not learn of it. A handler may also change the world in between.
   */
  intercept: (call: GithubCall, phase: "before" | "after") => void | Promise<void>;
  createPullRequest(request: NewIssue): Promise<IssueRef>;
  /** Sets a permission; the default is read, and triage for the maintainer. */
  permit: ReturnType<typeof fakePermissions>["permit"];
  /** Adds a person; a login ending in `[bot]` is a bot. Known logins return the same person. */
  person(login: string): Person;
  /** The next comment or issue of this login has a null author, as after the account's deletion. */
  deleteAccount(login: string): void;
  /** From now on the issue is reported as moved, missing or deleted. */
  remove(ref: IssueRef, reason: "transferred" | "not-found" | "deleted"): void;
  /** Adds a reaction to a comment, or to the issue's own text if `commentId` is null. */
  react(ref: IssueRef, by: string, content: string, commentId: number | null): Promise<void>;
}

export interface GithubCall {
  operation: keyof GithubReader | keyof GithubWriter | keyof LabelRegistry;
  ref: IssueRef | null;
  /** The label, comment body or close reason of a write, or the label of a listing. */
  argument: string | null;
}

interface StoredIssue {
  issue: Issue;
  comments: IssueComment[];
  /** Reactions; `of` is null for the issue's own text and otherwise the comment's id. */
  reactions: { of: number | null; reaction: Reaction }[];
  events: LabelEvent[];
  /** Its other timeline events. */
  happened: TimelineFact[];
  gone: "transferred" | "not-found" | "deleted" | null;
}

export function createFakeGithub(options: { clock: Clock; repo?: RepositoryName }): FakeGithub {
  const repo = options.repo ?? "octo/widgets";
  const people = new Map<string, Person>();
  const deletedAccounts = new Set<string>();
  const labels = new Set<string>(worldLabels);
  const issues = new Map<number, StoredIssue>();
  const permissions = fakePermissions(worldPeople.maintainer);
  let nextCommentId = 1_000;

  const now = (): string => `${new Date(options.clock.nowMs()).toISOString().slice(0, 19)}Z`;
  const person = (login: string): Person => {
    const known = people.get(login) ?? { id: 100 + people.size, login, isBot: login.endsWith("[bot]") };
    people.set(login, known);
    return known;
  };
  const authorOf = (login: string): Person | null => (deletedAccounts.has(login) ? null : person(login));
  for (const login of Object.values(worldPeople)) person(login);

  const stored = (ref: IssueRef): StoredIssue => {
    const entry = issues.get(ref.number);
    if (entry === undefined || entry.gone !== null || ref.repo !== repo) throw gone(ref);
    return entry;
  };
  const touch = (entry: StoredIssue): void => void Object.assign(entry.issue, { updatedAt: now() });

  const open = (request: NewIssue, isPullRequest: boolean, isDraft = false): IssueRef => {
    const number = issues.size + 1;
    const ref = { repo, number };
    const by = request.by ?? worldPeople.reporter;
    const kind = isPullRequest ? "pull" : "issues";
    const issue: Issue = {
      ref,
      title: request.title,
      body: request.body ?? "",
      state: "open",
      stateReason: null,
      locked: false,
      labels: [],
      author: authorOf(by),
      createdAt: now(),
      updatedAt: now(),
      isPullRequest,
      url: `https://github.test/${repo}/${kind}/${number}`,
      commentCount: 0,
      reactionCount: 0,
      milestone: null,
    };
    issues.set(number, { issue, comments: [], reactions: [], events: [], happened: [], gone: null });
    if (isPullRequest) pulls.opened(number, isDraft);
    for (const label of request.labels ?? []) setLabel(ref, by, label, "labeled");
    return ref;
  };

  const write = (ref: IssueRef, by: string, body: string): IssueComment => {
    const entry = stored(ref);
    const id = (nextCommentId += 1);
    const url = `${entry.issue.url}#issuecomment-${id}`;
    const comment = { id, body, author: authorOf(by), createdAt: now(), updatedAt: now(), url };
    Object.assign(comment, permissions.affiliation(by));
    entry.comments.push(comment);
    entry.issue.commentCount += 1;
    touch(entry);
    return structuredClone(comment);
  };

  function setLabel(ref: IssueRef, by: string, label: string, action: LabelEvent["action"]): void {
    const entry = stored(ref);
    const has = entry.issue.labels.includes(label);
    if (has === (action === "labeled")) return;
    entry.issue.labels = has
      ? entry.issue.labels.filter((name) => name !== label)
      : [...entry.issue.labels, label];
    entry.events.push({ label, action, actor: authorOf(by), createdAt: now() });
    touch(entry);
  }

  const close = (ref: IssueRef, state: "open" | "closed", reason: string | null): void => {
    const entry = stored(ref);
    entry.issue.state = state;
    entry.issue.stateReason = reason;
    touch(entry);
  };

  const pulls = createFakePullRequests({
    now,
    issues: () => [...issues.values()].map(({ issue }) => issue),
    close: (ref) => close(ref, "closed", null),
  });

  const lookup = (ref: IssueRef): IssueLookup => {
    const entry = ref.repo === repo ? issues.get(ref.number) : undefined;
    if (entry === undefined) return { type: "gone", reason: "not-found" };
    if (entry.gone !== null) return { type: "gone", reason: entry.gone };
    return { type: "found", issue: structuredClone(entry.issue) };
  };

  const listOpen = (label: string | null): Issue[] =>
    [...issues.values()]
      .filter(({ issue, gone }) => gone === null && issue.state === "open")
      .filter(({ issue }) => label === null || issue.labels.includes(label))
      .map(({ issue }) => structuredClone(issue));

  const assertRepository = (name: RepositoryName): void => {
    if (name !== repo) throw missing(name);
  };

  const calls: GithubCall[] = [];
  const fake: Pick<FakeGithub, "intercept"> = { intercept: () => undefined };
  const around = async <T>(signal: AbortSignal, call: GithubCall, action: () => T): Promise<T> => {
    signal.throwIfAborted();
    calls.push(call);
    await fake.intercept(call, "before");
    signal.throwIfAborted();
    const result = action();
    await fake.intercept(call, "after");
    return result;
  };

  const reader: GithubReader = {
    viewer: (signal) =>
      around(signal, { operation: "viewer", ref: null, argument: null }, () => person(worldPeople.viewer)),
    repository: (name, signal) =>
      around(signal, { operation: "repository", ref: null, argument: name }, () => {
        assertRepository(name);
        return fakeRepository(repo);
      }),
    listOpenIssues: (name, label, signal) =>
      around(signal, { operation: "listOpenIssues", ref: null, argument: label }, () => {
        assertRepository(name);
        return listOpen(label);
      }),
    updatedIssues: (name, { since, page }, signal) =>
      around(signal, { operation: "updatedIssues", ref: null, argument: since }, () => {
        assertRepository(name);
        return [...issues.values()]
          .filter(({ issue, gone }) => gone === null && (since === null || issue.updatedAt >= since))
          .map(({ issue }) => structuredClone(issue))
          .toSorted((a, b) => a.updatedAt.localeCompare(b.updatedAt) || a.ref.number - b.ref.number)
          .slice((page - 1) * 100, page * 100);
      }),
    issue: (ref, signal) => around(signal, { operation: "issue", ref, argument: null }, () => lookup(ref)),
    comments: (ref, signal) =>
      around(signal, { operation: "comments", ref, argument: null }, () =>
        structuredClone(stored(ref).comments),
      ),
    reactions: (ref, commentId, signal) =>
      around(signal, { operation: "reactions", ref, argument: String(commentId) }, () => {
        if (!stored(ref).comments.some(({ id }) => id === commentId)) throw gone(ref);
        const wanted = stored(ref).reactions.filter(({ of }) => of === null || of === commentId);
        return wanted.map(({ reaction }) => structuredClone(reaction));
      }),
    labelEvents: (ref, signal) =>
      around(signal, { operation: "labelEvents", ref, argument: null }, () =>
        structuredClone(stored(ref).events),
      ),
    timeline: (ref, signal) =>
      around(signal, { operation: "timeline", ref, argument: null }, () => fakeTimeline(stored(ref))),
    linkedPullRequests: (ref, signal) =>
      around(signal, { operation: "linkedPullRequests", ref, argument: null }, () => {
        const found = lookup(ref);
        return found.type === "gone" ? { type: "unknown", reason: found.reason } : pulls.linkedTo(ref);
      }),
    permission: (_, { login, id }, signal) =>
      around(signal, { operation: "permission", ref: null, argument: login }, () =>
        permissions.of(people.get(login)?.id === id ? login : null),
      ),
    labels: (name, signal) =>
      around(signal, { operation: "labels", ref: null, argument: name }, () => {
        assertRepository(name);
        return [...labels];
      }),
  };

  const labelRegistry: LabelRegistry = {
    names: (name, signal) =>
      around(signal, { operation: "names", ref: null, argument: name }, () => {
        assertRepository(name);
        return [...labels];
      }),
    create: (name, { name: label }, signal) =>
      around(signal, { operation: "create", ref: null, argument: label }, () => {
        assertRepository(name);
        if ([...labels].some((each) => each.toLowerCase() === label.toLowerCase())) return "exists";
        labels.add(label);
        return "created";
      }),
  };

  const me = worldPeople.viewer;
  const writer: GithubWriter = {
    publishComment: (ref, body, signal) =>
      around(signal, { operation: "publishComment", ref, argument: body }, () => {
        if (body.length > 65_536) throw refused(ref, "the comment is longer than 65536 characters");
        return write(ref, me, body);
      }),
    addLabels: (ref, names, signal) =>
      around(signal, { operation: "addLabels", ref, argument: names.join() }, () => {
        for (const name of names) setLabel(ref, me, name, "labeled");
      }),
    removeLabel: (ref, label, signal) =>
      around(signal, { operation: "removeLabel", ref, argument: label }, () =>
        setLabel(ref, me, label, "unlabeled"),
      ),
    closeIssue: (ref, reason, signal) =>
      around(signal, { operation: "closeIssue", ref, argument: reason }, () => {
        close(ref, "closed", reason);
        return structuredClone(stored(ref).issue);
      }),
    reopenIssue: (ref, signal) =>
      around(signal, { operation: "reopenIssue", ref, argument: null }, () => close(ref, "open", "reopened")),
    deleteComment: (ref, commentId, signal) =>
      around(signal, { operation: "deleteComment", ref, argument: String(commentId) }, () => {
        const entry = stored(ref);
        entry.comments = entry.comments.filter(({ id }) => id !== commentId);
        entry.issue.commentCount = entry.comments.length;
        touch(entry);
      }),
  };

  return Object.assign(fake, permissions, {
    repo,
    viewerLogin: me,
    reader,
    writer,
    labelRegistry,
    calls,
    person,
    deleteAccount: (login: string) => void deletedAccounts.add(login),
    remove: (ref: IssueRef, reason: "transferred" | "not-found" | "deleted") =>
      void Object.assign(stored(ref), { gone: reason }),
    createIssue: async (request: NewIssue) => open(request, false),
    ...pulls.verbs,
    openPullRequest: async ({ body, isDraft }: NewPullRequest) =>
      open({ title: "a change", body, by: worldPeople.maintainer }, true, isDraft),
    createPullRequest: async (request: NewIssue) => open(request, true),
    comment: async (ref: IssueRef, by: string, body: string) => write(ref, by, body),
    editComment: async (ref: IssueRef, _by: string, commentId: number, body: string) => {
      const comment = stored(ref).comments.find(({ id }) => id === commentId);
      if (comment === undefined) throw new Error(`no comment ${commentId}`);
      Object.assign(comment, { body, updatedAt: now() });
      touch(stored(ref));
    },
    ...fakeCommentVerbs({ stored, touch, now, authorOf }),
    editIssue: async (ref: IssueRef, _by: string, change: { title?: string; body?: string }) => {
      Object.assign(stored(ref).issue, change);
      touch(stored(ref));
    },
    setState: async (ref: IssueRef, by: string, state: "open" | "closed") => {
      close(ref, state, state === "closed" ? "completed" : "reopened");
      stored(ref).happened.push(stateFact(state, now(), authorOf(by)));
    },
    label: async (ref: IssueRef, by: string, label: string) => setLabel(ref, by, label, "labeled"),
    unlabel: async (ref: IssueRef, by: string, label: string) => setLabel(ref, by, label, "unlabeled"),
    react: async (ref: IssueRef, by: string, content: string, commentId: number | null) => {
      const of = commentId === null ? ("issue" as const) : ("comment" as const);
      const reaction = { of, content, author: authorOf(by), createdAt: now() };
      stored(ref).reactions.push({ of: commentId, reaction });
      if (commentId === null) stored(ref).issue.reactionCount += 1;
    },
    lock: async (ref: IssueRef) => {
      Object.assign(stored(ref).issue, { locked: true });
      touch(stored(ref));
    },
  });
}

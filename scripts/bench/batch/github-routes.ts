import { createHash } from "node:crypto";
import type { Issue, IssueComment, IssueRef, Person, TimelineFact } from "../../../src/github/index.ts";
import type { FakeGithub } from "../../../test/support/github/fake-github.ts";

export interface Asked {
  method: string;
  url: URL;
  body: unknown;
  etag: string | null;
}

interface Answered {
  status: number;
  headers: Record<string, string>;
  text: string;
}

const REPOSITORY = "octo/widgets";
const signal = new AbortController().signal;

/** Answers a request as GitHub's REST API does, for the requests of a Triage Batch, with pages, ETags and 304s. */
export async function answerOf(github: FakeGithub, asked: Asked): Promise<Answered> {
  const found = await valueOf(github, asked);
  if (found === undefined) return { status: 404, headers: {}, text: '{"message":"Not Found"}' };
  const { page, link } = Array.isArray(found) ? pageOf(found, asked.url) : { page: found, link: null };
  const text = JSON.stringify(page);
  if (asked.method !== "GET") return { status: asked.method === "POST" ? 201 : 200, headers: {}, text };
  const etag = `W/"${createHash("sha256").update(text).digest("hex")}"`;
  const headers = { etag, ...(link === null ? {} : { link }) };
  return asked.etag === etag ? { status: 304, headers, text: "" } : { status: 200, headers, text };
}

function pageOf(items: readonly unknown[], url: URL): { page: unknown[]; link: string | null } {
  const size = Number(url.searchParams.get("per_page") ?? 30);
  const number = Number(url.searchParams.get("page") ?? 1);
  const next = new URL(url);
  next.searchParams.set("page", String(number + 1));
  return {
    page: items.slice((number - 1) * size, number * size),
    link: items.length > number * size ? `<${next.href}>; rel="next"` : null,
  };
}

/** Returns undefined if the resource does not exist. */
async function valueOf(github: FakeGithub, { method, url, body }: Asked): Promise<unknown> {
  const { reader, writer } = github;
  if (url.pathname === "/user") return userOf(await reader.viewer(signal));
  const under = new RegExp(`^/repos/${REPOSITORY}(.*)$`).exec(url.pathname)?.[1];
  if (under === undefined) return undefined;
  if (under === "") return repositoryOf(github);
  if (under === "/labels") return (await reader.labels(REPOSITORY, signal)).map((name) => ({ name }));
  if (under === "/issues") return listing(github, url.searchParams);
  const login = /^\/collaborators\/([^/]+)\/permission$/.exec(under)?.[1];
  if (login !== undefined) {
    const person = github.person(decodeURIComponent(login));
    const permission = await reader.permission(REPOSITORY, person, signal);
    return { permission, role_name: permission, user: userOf(person) };
  }
  if (/^\/issues\/comments\/\d+\/reactions$/.test(under)) return [];
  const [, number, what, name] = /^\/issues\/(\d+)(?:\/(\w+)(?:\/([^/]+))?)?$/.exec(under) ?? [];
  if (number === undefined) return undefined;
  const ref: IssueRef = { repo: REPOSITORY, number: Number(number) };
  switch (`${method} ${what ?? ""}`) {
    case "GET ": {
      const lookup = await reader.issue(ref, signal);
      return lookup.type === "found" ? issueOf(lookup.issue) : undefined;
    }
    case "GET comments":
      return (await reader.comments(ref, signal)).map(commentOf);
    case "GET events":
      return (await reader.labelEvents(ref, signal)).map((event) => ({
        event: event.action,
        actor: userOf(event.actor),
        created_at: event.createdAt,
        label: { name: event.label },
      }));
    case "GET timeline":
      return (await reader.timeline(ref, signal)).map(timelineEventOf);
    case "GET reactions":
      return [];
    case "POST comments":
      return commentOf(await writer.publishComment(ref, (body as { body: string }).body, signal));
    case "POST labels":
      await writer.addLabels(ref, (body as { labels: string[] }).labels, signal);
      return [];
    case "DELETE labels":
      await writer.removeLabel(ref, decodeURIComponent(name ?? ""), signal);
      return [];
    default:
      return undefined;
  }
}

async function listing(github: FakeGithub, asked: URLSearchParams): Promise<unknown[]> {
  if (asked.get("state") === "open") {
    const issues = await github.reader.listOpenIssues(REPOSITORY, asked.get("labels"), signal);
    return issues.map(issueOf);
  }
  const since = asked.get("since");
  const page = Number(asked.get("page") ?? 1);
  const issues = await github.reader.updatedIssues(REPOSITORY, { since, page }, signal);
  // The fake has already cut the page. `pageOf` cuts again, so placeholders for the earlier pages come first.
  return [...Array.from({ length: (page - 1) * Number(asked.get("per_page")) }), ...issues.map(issueOf)];
}

async function repositoryOf({ reader }: FakeGithub): Promise<unknown> {
  const { id, name, cloneUrl, defaultBranch, isPrivate } = await reader.repository(REPOSITORY, signal);
  return {
    id,
    full_name: name,
    clone_url: cloneUrl,
    default_branch: defaultBranch,
    private: isPrivate,
    permissions: { admin: false, maintain: false, push: true, triage: true, pull: true },
  };
}

function userOf(person: Person | null): unknown {
  return person === null ? null : { id: person.id, login: person.login, type: person.isBot ? "Bot" : "User" };
}

function issueOf(issue: Issue): unknown {
  return {
    number: issue.ref.number,
    title: issue.title,
    body: issue.body,
    state: issue.state,
    state_reason: issue.stateReason,
    locked: issue.locked,
    labels: issue.labels.map((name) => ({ name })),
    user: userOf(issue.author),
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    html_url: issue.url,
    comments: issue.commentCount,
    reactions: { total_count: issue.reactionCount },
    milestone: null,
  };
}

function commentOf({ id, body, author, createdAt, updatedAt, url }: IssueComment): unknown {
  return { id, body, user: userOf(author), created_at: createdAt, updated_at: updatedAt, html_url: url };
}

function timelineEventOf(fact: TimelineFact): unknown {
  const event = { event: fact.type, actor: userOf(fact.actor), created_at: fact.at };
  return "label" in fact ? { ...event, label: { name: fact.label } } : event;
}

import { type Pool } from "pg";
import { z } from "zod";
import type { PostgresSql } from "../../../src/fleet/index.ts";
import type {
  GithubReader,
  GithubWriter,
  Issue,
  IssueComment,
  IssueRef,
  RepositoryName,
} from "../../../src/github/index.ts";
import type { CoderWorkspaceProvider, Lease } from "../../../src/workspaces/index.ts";
import { fakeRepository } from "../github/fake-repository.ts";

/**
 * The tables of a GitHub and a Coder deployment for many worker processes, in PostgreSQL, so that the writes of a killed process
 * persist. Every change is one statement. The names of existing Coder workspaces are unique, as in Coder.
 */
export const WORLD_TABLES = `
create table world_issue (repo text, number int, labels text[] not null, state text not null, updated_at timestamptz not null default now(), primary key (repo, number));
create table world_comment (id bigserial primary key, repo text not null, number int not null, body text not null, worker text not null, at timestamptz not null default now());
create index on world_comment (repo, number);
create table world_workspace (id bigserial primary key, name text not null, lease jsonb not null, created_at timestamptz not null default now(), deleted_at timestamptz);
create unique index on world_workspace (name) where deleted_at is null;
create table world_agent (repo text, number int, worker text, started_at timestamptz not null default now(), finished_at timestamptz, id bigserial primary key);
create table world_visit (repo text, number int, worker text, attempt int, begun_at timestamptz not null default clock_timestamp(), ended_at timestamptz, peers int, id bigserial primary key);
create table world_cpu (worker text primary key, cpu_ms bigint not null);
`;

const VIEWER = { id: 99, login: "afk[bot]", isBot: true };
const REPORTER = { id: 7, login: "reporter", isBot: false };

const issueRow = z.object({
  number: z.number(),
  labels: z.array(z.string()),
  state: z.enum(["open", "closed"]),
  updated_at: z.date(),
  comments: z.coerce.number(),
});
const SELECT_ISSUE = `select number, labels, state, updated_at,
  (select count(*) from world_comment c where c.repo = i.repo and c.number = i.number) as comments from world_issue i`;

export function repositoryOfLoad(id: number): RepositoryName {
  // Each account has ten repositories.
  return `account${Math.floor(id / 10)}/r${id}`;
}

export function simulatedGithub({ pool }: PostgresSql, worker: string) {
  const rows = async (text: string, values: unknown[]) =>
    z.array(issueRow).parse((await pool.query(text, values)).rows);
  const none = (): Promise<never> => Promise.reject(new Error("the simulated GitHub is not asked for this"));
  const reader: GithubReader = {
    viewer: () => Promise.resolve(VIEWER),
    repository: (name) => Promise.resolve({ ...fakeRepository(name), id: Number(name.split("/r")[1]) }),
    listOpenIssues: none,
    updatedIssues: async (repo, { since, page }) => {
      const found = await rows(
        `${SELECT_ISSUE} where repo = $1 and updated_at >= $2 order by updated_at, number limit 100 offset $3`,
        [repo, since ?? "2000-01-01", (page - 1) * 100],
      );
      return found.map((row) => toIssue(repo, row));
    },
    issue: async ({ repo, number }) => {
      const [row] = await rows(`${SELECT_ISSUE} where repo = $1 and number = $2`, [repo, number]);
      return row === undefined
        ? { type: "gone", reason: "not-found" }
        : { type: "found", issue: toIssue(repo, row) };
    },
    comments: (ref) => commentsOf(pool, ref),
    reactions: none,
    labelEvents: () => Promise.resolve([]),
    timeline: () => Promise.resolve([]),
    linkedPullRequests: () => Promise.resolve({ type: "known", pullRequests: [] } as never),
    permission: none,
    labels: none,
  };
  const change = async ({ repo, number }: IssueRef, set: string, values: unknown[]): Promise<void> => {
    await pool.query(`update world_issue set ${set}, updated_at = now() where repo = $1 and number = $2`, [
      repo,
      number,
      ...values,
    ]);
  };
  const writer: GithubWriter = {
    publishComment: async (ref, body) => {
      await pool.query("insert into world_comment (repo, number, body, worker) values ($1, $2, $3, $4)", [
        ref.repo,
        ref.number,
        body,
        worker,
      ]);
      const comment = (await commentsOf(pool, ref)).findLast((one) => one.body === body);
      if (comment === undefined) throw new Error("the comment does not show");
      return comment;
    },
    addLabels: (ref, labels) =>
      change(ref, "labels = (select array_agg(distinct one) from unnest(labels || $3::text[]) one)", [
        labels,
      ]),
    removeLabel: (ref, label) => change(ref, "labels = array_remove(labels, $3)", [label]),
    closeIssue: none,
    reopenIssue: none,
    deleteComment: none,
  };
  return { reader, writer };
}

async function commentsOf(pool: Pool, { repo, number }: IssueRef): Promise<IssueComment[]> {
  const { rows } = await pool.query(
    "select id, body, at from world_comment where repo = $1 and number = $2 order by id",
    [repo, number],
  );
  const found = z.array(z.object({ id: z.coerce.number(), body: z.string(), at: z.date() })).parse(rows);
  return found.map(({ id, body, at }) => ({
    id,
    body,
    author: VIEWER,
    createdAt: at.toISOString(),
    updatedAt: at.toISOString(),
    url: `https://github.test/${repo}/issues/${number}#issuecomment-${id}`,
  }));
}

function toIssue(repo: RepositoryName, row: z.infer<typeof issueRow>): Issue {
  const at = `${row.updated_at.toISOString().slice(0, 19)}Z`;
  return {
    ref: { repo, number: row.number },
    title: "It crashes on start",
    body: "It worked before.",
    state: row.state,
    stateReason: null,
    locked: false,
    labels: row.labels,
    author: REPORTER,
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: at,
    isPullRequest: false,
    url: `https://github.test/${repo}/issues/${row.number}`,
    commentCount: row.comments,
    reactionCount: 0,
    milestone: null,
  };
}

const workspaceRow = z.object({
  id: z.string(),
  name: z.string(),
  lease: z.custom<Lease>(),
  age_ms: z.coerce.number(),
});

/** Simulates Coder workspaces in which nothing runs. Each worker treats them as Coder workspaces of another machine. */
export function simulatedCoder({ pool }: PostgresSql): CoderWorkspaceProvider {
  return {
    kind: "coder",
    preflight: () => Promise.resolve({ kind: "coder", summary: "simulated", warnings: [] }),
    create: async ({ name, lease }) => {
      const { rows } = await pool.query(
        "insert into world_workspace (name, lease) values ($1, $2) on conflict (name) where deleted_at is null do nothing returning id",
        [name, JSON.stringify(lease)],
      );
      const [row] = z.array(z.object({ id: z.string() })).parse(rows);
      if (row === undefined) return { type: "locked", holder: null };
      const ready = (): Promise<never> => Promise.reject(new Error("nothing runs in it"));
      return { type: "created", workspace: { id: row.id, name, origin: "built", ready } };
    },
    list: async (prefix) => {
      const { rows } = await pool.query(
        `select id, name, lease, extract(epoch from now() - created_at) * 1000 as age_ms from world_workspace
         where deleted_at is null and name like $1 || '-%'`,
        [prefix],
      );
      return z
        .array(workspaceRow)
        .parse(rows)
        .map(({ id, name, lease, age_ms: ageMs }) => {
          return {
            id,
            name,
            lease,
            couldCarryLease: true,
            ageMs,
            holdMs: null,
            parentState: "unknown",
            inspection: "none",
            isStranded: false,
          };
        });
    },
    leaseState: async (id) => {
      const { rowCount } = await pool.query(
        "select 1 from world_workspace where id = $1 and deleted_at is null",
        [id],
      );
      return rowCount === 0 ? "lost" : "held";
    },
    keep: () => Promise.resolve({ type: "not-kept", why: "nobody looks at it" }),
    stop: () => Promise.resolve({ type: "stopped", isProven: true }),
    destroy: async ({ id }) => {
      const { rowCount } = await pool.query(
        "update world_workspace set deleted_at = now() where id = $1 and deleted_at is null",
        [id],
      );
      return { type: rowCount === 0 ? "absent" : "destroyed" };
    },
  };
}

import { z } from "zod";
import type { RepositoryName } from "../../github/index.ts";
import type { RestClient } from "./rest-client.ts";

/** The state of one issue on the emulated GitHub. */
export interface IssueState {
  number: number;
  title: string;
  isPullRequest: boolean;
  labels: string[];
  state: "open" | "closed";
  stateReason: string | null;
  comments: IssueStateComment[];
}

export interface IssueStateComment {
  id: number;
  author: string;
  body: string;
}

const issueSchema = z.object({
  number: z.int(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  state_reason: z.string().nullish(),
  labels: z.array(z.object({ name: z.string() })),
  pull_request: z.unknown().optional(),
});

const commentSchema = z.object({
  id: z.int(),
  body: z.string(),
  user: z.object({ login: z.string() }).nullable(),
});

/** Returns all issues and pull requests with their comments, by number. */
export async function readIssueStates(
  client: RestClient,
  repo: RepositoryName,
  signal: AbortSignal,
): Promise<IssueState[]> {
  const listed = await client.get(`/repos/${repo}/issues?state=all&per_page=100`, signal);
  const states: IssueState[] = [];
  for (const issue of z.array(issueSchema).parse(listed)) {
    const path = `/repos/${repo}/issues/${issue.number}/comments?per_page=100`;
    const comments = z.array(commentSchema).parse(await client.get(path, signal));
    states.push({
      number: issue.number,
      title: issue.title,
      isPullRequest: issue.pull_request !== undefined,
      labels: issue.labels.map((label) => label.name),
      state: issue.state,
      stateReason: issue.state_reason ?? null,
      comments: comments.map(({ id, body, user }) => ({ id, body, author: user?.login ?? "ghost" })),
    });
  }
  return states.sort((left, right) => left.number - right.number);
}

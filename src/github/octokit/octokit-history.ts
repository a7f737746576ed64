import { z } from "zod";
import type { GithubHistory } from "../history-port.ts";
import { issueKey } from "../port.ts";
import { getRequest, graphqlRequest, PAGE_SIZE } from "./listing.ts";
import { nameOf } from "./routes.ts";
import type { Wire } from "./wire.ts";
import { issueSchema, toIssue } from "./wire-schemas.ts";

/**
 * The edits of an issue's text. The `diff` of the oldest entry is the whole text as it was filed; the second-oldest entry is its
 * first change.
 */
const editsSchema = z.object({
  data: z.object({
    repository: z.object({
      issue: z.object({
        body: z.string(),
        userContentEdits: z
          .object({
            nodes: z.array(
              z.object({ diff: z.string().nullish(), editedAt: z.string().nullish() }).nullish(),
            ),
          })
          .nullish(),
      }),
    }),
  }),
});

const EDITS =
  "query($owner: String!, $repo: String!, $number: Int!) { repository(owner: $owner, name: $repo) { issue(number: $number) { body userContentEdits(last: 2) { nodes { diff editedAt } } } } }";

/** Returns the port that reads the history of issues over GitHub's REST and GraphQL APIs. */
export function createOctokitHistory(wire: Wire): GithubHistory {
  return {
    closedIssues: async (repo, page, signal) => {
      const filter = {
        ...nameOf(repo),
        state: "closed",
        sort: "created",
        direction: "desc",
        per_page: PAGE_SIZE,
        page,
      };
      const request = getRequest(
        `list the closed issues of ${repo}`,
        "/repos/{owner}/{repo}/issues",
        filter,
        signal,
      );
      const answer = await wire.send(request);
      return wire.parse(request, answer, z.array(issueSchema)).map((issue) => toIssue(repo, issue));
    },
    originalBody: async (ref, signal) => {
      const asked = { ...nameOf(ref.repo), number: ref.number };
      const request = graphqlRequest(`read the edits of ${issueKey(ref)}`, EDITS, asked, signal);
      // On a GitHub without GraphQL, or without this field, the edit history cannot be read.
      const answer = await wire.send(request).catch(() => null);
      const read = editsSchema.safeParse(answer?.data);
      signal.throwIfAborted();
      if (!read.success) return null;
      const { body, userContentEdits } = read.data.data.repository.issue;
      const edits = userContentEdits?.nodes ?? [];
      if (edits.length === 0) return { text: body, firstEditAt: null };
      const text = edits.at(-1)?.diff ?? null;
      return text === null ? null : { text, firstEditAt: edits.at(-2)?.editedAt ?? null };
    },
    mergeCommit: async (pull, signal) => {
      const path = "/repos/{owner}/{repo}/pulls/{pull_number}";
      const asked = { ...nameOf(pull.repo), pull_number: pull.number };
      const request = getRequest(`read the pull request ${issueKey(pull)}`, path, asked, signal);
      const answer = await wire.send(request).catch(() => null);
      signal.throwIfAborted();
      return (
        z.object({ merge_commit_sha: z.string().nullish() }).safeParse(answer?.data).data?.merge_commit_sha ??
        null
      );
    },
  };
}

import { OperationalError } from "agent-tty/kit";
import { z } from "zod";
import { type GithubReader, type IssueRef, issueKey, type Person, type Reaction } from "../port.ts";
import { getRequest, graphqlRequest, PAGE_SIZE, readOne, readPages } from "./listing.ts";
import { createPullRequestReader } from "./pull-request-reader.ts";
import { ISSUE, issueOf, nameOf } from "./routes.ts";
import { timelineFactSchema, toTimelineFact } from "./timeline-facts.ts";
import { goneReason, type Wire, type WireRequest } from "./wire.ts";
import { issueGone, repositoryMoved, statusOf } from "./wire-errors.ts";
import {
  commentSchema,
  eventSchema,
  issueSchema,
  labelSchema,
  permissionSchema,
  reactionSchema,
  repositorySchema,
  toComment,
  toIssue,
  toLabelEvent,
  toPerson,
  toReaction,
  toRepository,
  userSchema,
} from "./wire-schemas.ts";

/**
 * Returns a schema that accepts only the issue with this number, because later writes go to the issue that was read (S6). It is a
 * separate schema: `refine` would copy the schema of issues, and zod compiles each copy.
 */
function numbered(number: number) {
  return z.custom<z.output<typeof issueSchema>>(
    (issue) => (issue as z.output<typeof issueSchema>).number === number,
    { path: ["number"], message: "it is another issue than the one asked for" },
  );
}

/**
 * Returns the port that reads issues, comments and events over GitHub's REST API. `assumedViewer`: the account of an installation
 * token on a GitHub without GraphQL.
 */
export function createOctokitReader(wire: Wire, assumedViewer: Person | null): GithubReader {
  const get = getRequest;
  const pages = <Value>(
    request: WireRequest,
    schema: z.ZodType<Value>,
    onMissing: (status: number, error: unknown) => never,
  ): Promise<Value[]> =>
    readPages(wire, request, (answer) => wire.parse(request, answer, z.array(schema)), onMissing);

  const ofIssue =
    (ref: IssueRef, attempted: string) =>
    (status: number, error: unknown): never => {
      const reason = goneReason(status);
      throw reason === null ? error : issueGone(ref, attempted, reason);
    };
  const ofRepository =
    (attempted: string) =>
    (status: number, error: unknown): never => {
      throw goneReason(status) === "transferred" ? repositoryMoved(attempted, "") : error;
    };

  return {
    viewer: async (signal) => {
      const login = await wire.appLogin(signal);
      const request =
        login === null
          ? get("ask whose token it is", "/user", {}, signal)
          : get("ask for the App's account", "/users/{username}", { username: login }, signal);
      try {
        return toPerson(wire.parse(request, await wire.send(request), userSchema)) as Person;
      } catch (error) {
        if (refusal(error) !== 403) throw error;
        return installationAccount(wire, signal).catch((unasked: unknown) => {
          if (refusal(unasked) !== 404) throw unasked;
          if (assumedViewer === null) throw error;
          return assumedViewer;
        });
      }
    },

    repository: async (repo, signal) => {
      const request = get(`read the repository ${repo}`, "/repos/{owner}/{repo}", nameOf(repo), signal);
      return toRepository(repo, await readOne(wire, request, repositorySchema));
    },

    listOpenIssues: async (repo, label, signal) => {
      const labels = label === null ? {} : { labels: label };
      const filter = { ...nameOf(repo), state: "open", ...labels, sort: "created", direction: "asc" };
      const request = get(
        label === null ? `list the issues of ${repo}` : `list the issues of ${repo} labelled ${label}`,
        "/repos/{owner}/{repo}/issues",
        filter,
        signal,
      );
      const issues = await pages(request, issueSchema, ofRepository(request.attempted));
      return issues.map((issue) => toIssue(repo, issue));
    },

    updatedIssues: async (repo, { since, page }, signal) => {
      const order = { state: "all", sort: "updated", direction: "asc", per_page: PAGE_SIZE, page };
      const filter = { ...nameOf(repo), ...order, ...(since === null ? {} : { since }) };
      const attempted = `list the issues of ${repo} updated since ${since ?? "the beginning"}`;
      const request = get(attempted, "/repos/{owner}/{repo}/issues", filter, signal);
      const answer = await wire
        .send(request)
        .catch((error: unknown) => ofRepository(attempted)(statusOf(error) ?? 0, error));
      if (answer.status !== 200) ofRepository(attempted)(answer.status, null);
      return wire.parse(request, answer, z.array(issueSchema)).map((issue) => toIssue(repo, issue));
    },

    issue: async (ref, signal) => {
      const request = get(`read ${issueKey(ref)}`, ISSUE, issueOf(ref), signal);
      try {
        const answer = await wire.send(request);
        const reason = goneReason(answer.status);
        if (reason !== null) return { type: "gone", reason };
        const asked = issueSchema.pipe(numbered(ref.number));
        return { type: "found", issue: toIssue(ref.repo, wire.parse(request, answer, asked)) };
      } catch (error) {
        const reason = goneReason(statusOf(error) ?? 0);
        if (reason === null) throw error;
        return { type: "gone", reason };
      }
    },

    comments: async (ref, signal) => {
      const request = get(`read the comments of ${issueKey(ref)}`, `${ISSUE}/comments`, issueOf(ref), signal);
      const comments = await pages(request, commentSchema, ofIssue(ref, request.attempted));
      return comments.map(toComment).toSorted((a, b) => a.id - b.id);
    },

    reactions: async (ref, commentId, signal) => {
      const attempted = `read the reactions to ${issueKey(ref)}`;
      const ofComment = "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions";
      const requests = [
        get(attempted, `${ISSUE}/reactions`, issueOf(ref), signal),
        get(attempted, ofComment, { ...nameOf(ref.repo), comment_id: commentId }, signal),
      ];
      const found: Reaction[] = [];
      for (const [index, request] of requests.entries()) {
        const reactions = await pages(request, reactionSchema, ofIssue(ref, attempted));
        found.push(...reactions.map((one) => toReaction(one, index === 0 ? "issue" : "comment")));
      }
      return found;
    },

    labelEvents: async (ref, signal) => {
      const request = get(
        `read the label events of ${issueKey(ref)}`,
        `${ISSUE}/events`,
        issueOf(ref),
        signal,
      );
      const events = await pages(request, eventSchema, ofIssue(ref, request.attempted));
      return events.flatMap(toLabelEvent);
    },

    timeline: async (ref, signal) => {
      const request = get(`read the timeline of ${issueKey(ref)}`, `${ISSUE}/timeline`, issueOf(ref), signal);
      const events = await pages(request, timelineFactSchema, ofIssue(ref, request.attempted));
      return events.flatMap((event) => toTimelineFact(ref, event));
    },

    linkedPullRequests: createPullRequestReader(wire),

    permission: async (repo, person, signal) => {
      const path = "/repos/{owner}/{repo}/collaborators/{username}/permission";
      const asked = { ...nameOf(repo), username: person.login };
      const request = get(`ask what ${person.login} may do in ${repo}`, path, asked, signal);
      const answer = await wire.send(request).catch((error: unknown) => {
        const isUntold = goneReason(statusOf(error) ?? 0) !== null || statusOf(error) === 403;
        if (isUntold) return null;
        throw error;
      });
      if (answer?.status !== 200) return "unknown";
      const { userId, permission } = wire.parse(request, answer, permissionSchema);
      return userId === person.id ? permission : "none";
    },

    labels: async (repo, signal) => {
      const request = get(`list the labels of ${repo}`, "/repos/{owner}/{repo}/labels", nameOf(repo), signal);
      const labels = await pages(request, labelSchema, ofRepository(request.attempted));
      return labels.map(({ name }) => name);
    },
  };
}

function refusal(error: unknown): unknown {
  return error instanceof OperationalError ? error.details["status"] : null;
}

/**
 * Returns the account of an installation token, including that of an Actions job. It is read over GraphQL, because REST does not
 * report it.
 */
async function installationAccount(wire: Wire, signal: AbortSignal): Promise<Person> {
  const request = graphqlRequest("ask which account the token acts as", VIEWER, {}, signal);
  const answer = wire.parse(request, await wire.send(request), viewerSchema);
  const { databaseId: id, login } = answer.data.viewer;
  return { id, login, isBot: true };
}

const VIEWER = "query { viewer { databaseId login } }";

const viewerSchema = z.object({
  data: z.object({ viewer: z.object({ databaseId: z.int(), login: z.string().min(1) }) }),
});

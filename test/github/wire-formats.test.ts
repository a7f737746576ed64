import type { RestEndpointMethodTypes } from "@octokit/rest";
import { expect, test } from "vitest";
import { timelineFactSchema, toTimelineFact } from "../../src/github/octokit/timeline-facts.ts";
import { commentSchema, permissionSchema, toComment } from "../../src/github/octokit/wire-schemas.ts";

// The types of @octokit/rest are generated from GitHub's own OpenAPI description: `npm run types` checks these answers against
// it.

type PermissionAnswer =
  RestEndpointMethodTypes["repos"]["getCollaboratorPermissionLevel"]["response"]["data"];
type CommentAnswer = RestEndpointMethodTypes["issues"]["listComments"]["response"]["data"][number];
type TimelineEvent = RestEndpointMethodTypes["issues"]["listEventsForTimeline"]["response"]["data"][number];
type EventWith<Field extends string> = Extract<TimelineEvent, Record<Field, unknown>>;

const ref = { repo: "octo/widgets", number: 7 } as const;
const at = "2026-01-01T00:00:00Z";

test("the role in GitHub's answer determines a person's permission (E3, E4)", () => {
  const answer: Pick<PermissionAnswer, "permission" | "role_name"> = {
    permission: "read",
    role_name: "triage",
  };
  expect(permissionSchema.parse(answer)).toMatchObject({ permission: "triage" });
});

test("the association of a comment's author says whether GitHub calls them affiliated, in the answer that GitHub describes (E4)", () => {
  type Read = "id" | "body" | "user" | "created_at" | "updated_at" | "html_url" | "author_association";
  const answer = (association: CommentAnswer["author_association"]): Pick<CommentAnswer, Read> => ({
    id: 1,
    body: "/triage accept",
    user: null,
    created_at: at,
    updated_at: at,
    html_url: "https://github.com/octo/widgets/issues/7#issuecomment-1",
    author_association: association,
  });
  const isAffiliated = (association: CommentAnswer["author_association"]): boolean =>
    toComment(commentSchema.parse(answer(association))).isAffiliated === true;
  const all = ["OWNER", "MEMBER", "COLLABORATOR", "CONTRIBUTOR", "NONE"] as const;
  expect(all.filter(isAffiliated)).toEqual(["OWNER", "MEMBER", "COLLABORATOR"]);
});

test("label and rename events are read in the form that GitHub describes (E1, E3)", () => {
  const labelled: Pick<EventWith<"label">, "event" | "created_at" | "commit_id" | "label"> = {
    event: "labeled",
    created_at: at,
    commit_id: null,
    label: { name: "bug", color: "ededed" },
  };
  const renamed: Pick<EventWith<"rename">, "event" | "created_at" | "commit_id" | "rename"> = {
    event: "renamed",
    created_at: at,
    commit_id: null,
    rename: { from: "before", to: "after" },
  };
  const facts = [labelled, renamed].flatMap((event) => toTimelineFact(ref, timelineFactSchema.parse(event)));
  expect(facts).toMatchObject([
    { type: "labeled", label: "bug", at },
    { type: "renamed", from: "before", to: "after", at },
  ]);
});

test.each([
  ["reopened", "reopened"],
  ["marked_as_duplicate", "marked-as-duplicate"],
  ["unmarked_as_duplicate", "unmarked-as-duplicate"],
  ["comment_deleted", "comment-deleted"],
])("the timeline event %s, in the form that GitHub describes, becomes a fact (E1, E3)", (event, type) => {
  const answer: Pick<EventWith<"rename">, "event" | "created_at" | "commit_id"> = {
    event,
    created_at: at,
    commit_id: null,
  };
  expect(toTimelineFact(ref, timelineFactSchema.parse(answer))).toMatchObject([{ type, at }]);
});

test("the fact of a pull request that closes the issue has the time of its merge, not of its mention (E1)", () => {
  const event = {
    event: "cross-referenced",
    created_at: "2026-01-01T00:00:00Z",
    source: {
      issue: {
        number: 8,
        body: "Fixes #7",
        repository: { full_name: "octo/widgets" },
        pull_request: { merged_at: "2026-01-06T00:00:00Z" },
      },
    },
  };
  const ref = { repo: "octo/widgets", number: 7 } as const;
  expect(toTimelineFact(ref, timelineFactSchema.parse(event))).toMatchObject([
    { type: "merged-fix", pull: 8, at: "2026-01-06T00:00:00Z" },
  ]);
});

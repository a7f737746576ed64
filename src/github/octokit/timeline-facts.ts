import { z } from "zod";
import { closesIssue } from "../closing-references.ts";
import type { IssueRef } from "../port.ts";
import type { TimelineFact } from "../timeline-fact.ts";
import { isOfRepository } from "./pull-request-schemas.ts";
import { toPerson, userSchema } from "./wire-schemas.ts";

export const timelineFactSchema = z.object({
  event: z.string(),
  created_at: z.string().nullish(),
  actor: userSchema.nullish(),
  /** The author of a comment; other events have an actor instead. */
  user: userSchema.nullish(),
  label: z.object({ name: z.string() }).nullish(),
  commit_id: z.string().nullish(),
  rename: z.object({ from: z.string(), to: z.string() }).nullish(),
  source: z
    .object({
      issue: z
        .object({
          number: z.int(),
          body: z.string().nullish(),
          repository_url: z.string().nullish(),
          repository: z.object({ full_name: z.string() }).nullish(),
          pull_request: z.object({ merged_at: z.string().nullish() }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

/** Returns the facts of a timeline event; an empty list for other kinds of events. */
export function toTimelineFact(ref: IssueRef, event: z.infer<typeof timelineFactSchema>): TimelineFact[] {
  const { label, rename, source } = event;
  const at = event.created_at ?? "";
  if (at === "") return [];
  const base = { at, actor: toPerson(event.actor ?? event.user) };
  switch (event.event) {
    case "labeled":
    case "unlabeled":
      return label ? [{ ...base, type: event.event, label: label.name }] : [];
    case "closed":
      return [{ ...base, type: "closed", commit: event.commit_id ?? null }];
    case "reopened":
    case "commented":
      return [{ ...base, type: event.event }];
    case "comment_deleted":
      return [{ ...base, type: "comment-deleted" }];
    case "renamed":
      return rename ? [{ ...base, type: "renamed", ...rename }] : [];
    case "marked_as_duplicate":
      return [{ ...base, type: "marked-as-duplicate" }];
    case "unmarked_as_duplicate":
      return [{ ...base, type: "unmarked-as-duplicate" }];
    case "cross-referenced": {
      const issue = source?.issue;
      if (!issue?.pull_request?.merged_at || !closesIssue(issue.body ?? "", ref)) return [];
      if (!isOfRepository(issue, ref.repo)) return [];
      // The event's own time is that of the mention, so the time of the merge is used instead.
      return [{ ...base, at: issue.pull_request.merged_at, type: "merged-fix", pull: issue.number }];
    }
    default:
      return [];
  }
}

import type { Person } from "../../github/index.ts";
import {
  type AssessedIssue,
  type BatchPorts,
  markerTrust,
  type RunRecord,
  snapshotHash,
} from "../../triage/index.ts";
import { decideComment } from "../due/index.ts";
import type { SweptIssue } from "../swept/index.ts";
import type { Verdict } from "../verdict/index.ts";
import type { Examination } from "./examine-swept.ts";
import { recallSaid } from "./recall-said.ts";

/** The batch's facts that a stored verdict depends on. */
interface NoteContext {
  runId: string;
  viewer: Person;
  ports: Pick<BatchPorts, "clock" | "markers">;
}

/** Returns the stored facts about an issue whose verdict is known, with the comment that is due on it. */
export function noteVerdict(
  { issue, comments }: Pick<AssessedIssue, "issue" | "comments">,
  found: {
    verdict: Verdict;
    examined: Pick<Examination, "origin" | "reproduction">;
    before: SweptIssue | null;
  },
  record: Pick<RunRecord, "evidence" | "usage">,
  context: NoteContext,
): SweptIssue {
  const { runId, ports, viewer } = context;
  const { verdict, examined, before } = found;
  const { repo, number } = issue.ref;
  const { title, url, labels, milestone, createdAt, updatedAt } = issue;
  const isWithheld = verdict.type === "withheld";
  const nowMs = ports.clock.nowMs();
  const { said, close } = recallSaid(before, { issue, comments }, { trust: markerTrust(context), nowMs });
  const choice = decideComment(verdict, said);
  const people = [issue.author, ...comments.map(({ author }) => author)].filter(
    (one) => one !== null && !one.isBot && one.id !== viewer.id,
  );
  return {
    schema: "afk-triage/swept-issue@1",
    repo,
    number,
    title: isWithheld ? "(withheld)" : title,
    url,
    labels,
    milestone,
    createdAt,
    reactions: issue.reactionCount,
    people: new Set(people.map((one) => one?.id)).size,
    seen: snapshotHash(issue, comments, viewer.id),
    updatedAt,
    runId,
    at: new Date(nowMs).toISOString(),
    origin: examined.origin,
    verdict,
    evidence: isWithheld ? null : record.evidence,
    reproduction: isWithheld ? null : examined.reproduction,
    usage: record.usage,
    comment: choice.type === "say" ? { type: "due" } : { type: "none", why: choice.why },
    said,
    close,
    isOpen: issue.state === "open",
  };
}

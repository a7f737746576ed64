import type { Clock } from "agent-tty/kit";
import { z } from "zod";
import { type RepositoryName, renderTriageNotes } from "../../github/index.ts";
import type { DemoIssue } from "../issues/index.ts";
import type { RestClient } from "./rest-client.ts";

/** The run id in the markers of the earlier Triage Batch, which some issues mention. */
const EARLIER_RUN = "20250203T060000Z";

/**
 * The time between two creations, in milliseconds, so that no two creation times are equal: their order decides what counts as
 * new activity.
 */
const GAP_MS = 3;

const numbered = z.object({ number: z.int().positive() });

export interface Seeding {
  repo: RepositoryName;
  issues: readonly DemoIssue[];
  /** The key that signs the markers of the earlier batch; undefined: markers are unsigned. */
  markerKey: string | undefined;
  clientOf: (login: string) => RestClient;
  clock: Clock;
}

/** Creates the issues with their comments, each as its own author. Returns the number of each key's issue. */
export async function seedIssues(seeding: Seeding, signal: AbortSignal): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  for (const issue of seeding.issues) {
    const number = await createIssue(seeding, issue, signal);
    numbers.set(issue.key, number);
    for (const comment of issue.comments) {
      await seeding.clock.sleep(GAP_MS, signal);
      const body =
        comment.author === "triage-bot"
          ? earlierNotes(seeding, number, comment.outcome, comment.body)
          : comment.body;
      const path = `/repos/${seeding.repo}/issues/${number}/comments`;
      await seeding.clientOf(comment.author).post(path, { body }, signal);
    }
    await seeding.clock.sleep(GAP_MS, signal);
  }
  return numbers;
}

async function createIssue(seeding: Seeding, issue: DemoIssue, signal: AbortSignal): Promise<number> {
  const author = seeding.clientOf(issue.author);
  const base = `/repos/${seeding.repo}`;
  const text = { title: issue.title, body: issue.body };
  const created =
    issue.kind === "issue"
      ? await author.post(`${base}/issues`, text, signal)
      : await author.post(
          `${base}/pulls`,
          { ...text, head: `${issue.author}-patch-1`, base: "main" },
          signal,
        );
  const { number } = numbered.parse(created);
  // The project adds labels, not the reporter, as on GitHub.
  const labels = { labels: issue.labels };
  await seeding.clientOf("triage-bot").post(`${base}/issues/${number}/labels`, labels, signal);
  return number;
}

function earlierNotes(
  seeding: Seeding,
  issue: number,
  outcome: Parameters<typeof renderTriageNotes>[0]["outcome"],
  body: string,
): string {
  return renderTriageNotes({
    repo: seeding.repo,
    issue,
    outcome,
    run: EARLIER_RUN,
    body,
    secret: seeding.markerKey,
  });
}

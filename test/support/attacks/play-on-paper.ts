import {
  type Issue,
  type IssueComment,
  type IssueRef,
  type Person,
  redactSecretsIn,
} from "../../../src/github/index.ts";
import {
  buildIssueFile,
  createCanaryDetector,
  findInOutcome,
  parentSecrets,
  parseOutcome,
  renderComment,
  renderPrompt,
  triageFiles,
} from "../../../src/triage/index.ts";
import { decideDelivered } from "../../../src/triage/batch/run/decide-delivered.ts";
import type { Attack, Seen } from "./attack.ts";
import { type Kept, readingsOf } from "./judge.ts";

const reporter: Person = { id: 2, login: "reporter", isBot: false };
const others: Record<string, number> = { reporter: 2, maintainer: 3, stranger: 4, "triage-bot": 1 };
const NUMBER = 7;
const ref: IssueRef = { repo: "octo/widgets", number: NUMBER };

/** Returns whether an attack needs only the core: no terminal, no files, and no people who act during the run. */
export function isOnPaper({ agent, meanwhile, issue, squat, isForRealOnly }: Attack): boolean {
  const labels = issue?.labels ?? ["needs-triage"];
  return (
    agent.shell === undefined &&
    agent.print === undefined &&
    agent.outcome !== null &&
    !JSON.stringify(agent.outcome).includes('"outcome":"ready-for-agent"') &&
    meanwhile === undefined &&
    squat === undefined &&
    isForRealOnly !== true &&
    labels.join() === "needs-triage"
  );
}

export interface Paper {
  seen: Seen;
  /** The outcome in the form in which it would be kept. */
  kept: Kept;
}

/**
 * Plays an attack only against the pure core: issue file, outcome reader, quarantine, policy, comment. This takes milliseconds
 * per attack.
 */
export async function playOnPaper(attack: Attack): Promise<Paper> {
  const issue = issueOf(attack);
  const nonce = "5ca1ab1e5ca1ab1e";
  const files = triageFiles("/workspace/run");
  const seen = {
    number: NUMBER,
    labels: issue.labels,
    state: issue.state,
    issueFile: JSON.stringify(
      await buildIssueFile(
        { issue, comments: commentsOf(attack), notes: null, history: [], asked: [] },
        nonce,
      ),
    ),
    prompt: renderPrompt({ files, repo: ref.repo, number: NUMBER, nonce }),
    stderr: "",
    drop: new Map<string, string>(),
  };
  const bytes = Buffer.from(outcomeText(attack.agent.outcome, NUMBER));
  const canaries = createCanaryDetector(parentSecrets(attack.environment ?? {}));
  if (findInOutcome(bytes, canaries) !== null)
    return { seen: { ...seen, end: "failed secret-leaked", comments: [] }, kept: new Map() };
  const parsed = parseOutcome(bytes, NUMBER);
  const facts = { issue, comments: commentsOf(attack), asked: [] };
  const decision = decideDelivered(facts, parsed, { type: "not-attempted" });
  const comment = renderComment(decision, {
    issue,
    runId: "20260430T141500Z",
    markerKey: "a key",
    recording: null,
  });
  const end = ["applied", decision.state, ...decision.policy].join(" ");
  const kept =
    parsed.type === "invalid"
      ? []
      : [["outcome.json", JSON.stringify(redactSecretsIn(parsed.outcome))] as const];
  return {
    seen: { ...seen, end, comments: [comment], state: decision.close === null ? "open" : "closed" },
    kept: readingsOf(kept),
  };
}

/** Returns the text of the outcome file; a document gets the number of its issue unless it has one. */
export function outcomeText(outcome: object | string | null, number: number): string {
  if (typeof outcome === "string") return outcome.replaceAll("<number>", String(number));
  return JSON.stringify(outcome === null ? null : { issue: number, ...outcome });
}

function issueOf({ issue = {} }: Attack): Issue {
  return {
    ref,
    title: issue.title ?? "it breaks",
    body: issue.body ?? "It throws.",
    state: "open",
    stateReason: null,
    locked: false,
    labels: [...(issue.labels ?? ["needs-triage"])],
    author: reporter,
    createdAt: "2026-04-30T09:00:00Z",
    updatedAt: "2026-04-30T09:00:00Z",
    isPullRequest: false,
    url: "https://github.com/octo/widgets/issues/7",
    commentCount: 0,
    reactionCount: 0,
    milestone: null,
  };
}

function commentsOf({ comments = [] }: Attack): IssueComment[] {
  return comments.map(({ by, body }, index) => ({
    id: 100 + index,
    body: typeof body === "string" ? body : body(ref),
    author: { id: others[by] ?? 9, login: by, isBot: false },
    createdAt: "2026-04-30T10:00:00Z",
    updatedAt: "2026-04-30T10:00:00Z",
    url: "https://github.com/octo/widgets/issues/7#issuecomment-1",
  }));
}

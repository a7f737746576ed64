import { OperationalError } from "agent-tty/kit";
import { expect, test, vi } from "vitest";
import type { GithubReader, IssueRef } from "../../../src/github/index.ts";
import type { BatchPorts } from "../../../src/triage/index.ts";
import { openTrustLedger } from "../../../src/trust/index.ts";
import { type BatchStage, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, proposingAgent } from "../../support/batch/in-process-agent.ts";
import type { GithubCall } from "../../support/github/fake-github.ts";
import { worldPeople } from "../../support/github/github-world.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const away = (): OperationalError =>
  new OperationalError({ code: "GITHUB_UNREACHABLE", message: "it answered 502", remedy: "wait" });

/** A stage that counts the starts of Triage Agents and records all waits, which end at once. */
async function outageStage(): Promise<
  BatchStage & { waits: number[]; runWith: (ports?: Partial<BatchPorts>) => Promise<string[]> }
> {
  const stage = await openBatchStage();
  const waits: number[] = [];
  let started = 0;
  const clock = {
    ...stage.ports.clock,
    sleep: (durationMs: number, signal?: AbortSignal) => {
      waits.push(durationMs);
      return stage.ports.clock.sleep(0, signal);
    },
  };
  const runWith = async (ports: Partial<BatchPorts> = {}): Promise<string[]> => {
    const triageAgent = askingAgent(() => void (started += 1));
    const { issues } = await stage.run({ ports: { triageAgent, clock, ...ports } });
    return [...issues.map(({ status, reason }) => `${status} ${reason}`), `${started} started`];
  };
  return { ...stage, waits, runWith };
}

/** The waits between the searches for one comment whose POST was not answered; they add up to one minute. */
const SEARCH_MS = [3_000, 6_000, 12_000, 24_000, 15_000];

const APPLIED = ["applied needs-triage", "1 started"];

function failing(
  stage: BatchStage,
  operation: GithubCall["operation"],
  phase: "before" | "after",
  times: number,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
  failure: () => OperationalError = away,
): void {
  let left = times;
  stage.github.intercept = async (call, at) => {
    if (call.operation !== operation || at !== phase || left === 0) return;
    left -= 1;
    await meanwhile();
    throw failure();
  };
}

test.concurrent.each(["before", "after"] as const)(
  "a comment whose POST is not answered (lost %s it took effect) is searched for by its marker, and is posted exactly once (T7)",
  async (phase) => {
    const stage = await outageStage();
    await using _ = stage;
    const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
    failing(stage, "publishComment", phase, phase === "before" ? 2 : 1);
    expect(await stage.runWith()).toEqual(APPLIED);
    expect(stage.waits.filter((waitMs) => waitMs >= 3_000)).toEqual(
      phase === "before" ? [...SEARCH_MS, ...SEARCH_MS] : [3_000],
    );
    const never = new AbortController().signal;
    expect(await stage.github.reader.comments(ref, never)).toHaveLength(1);
    const lookup = await stage.github.reader.issue(ref, never);
    expect(lookup).toMatchObject({ type: "found", issue: { labels: ["needs-info", "bug"] } });
    const posts = stage.github.calls.filter(({ operation }) => operation === "publishComment");
    expect(posts).toHaveLength(phase === "before" ? 3 : 1);
  },
);

test.concurrent("a comment that GitHub shows only after a search of 40 s exists once, and its POST is not repeated (T7)", async () => {
  const stage = await outageStage();
  await using _ = stage;
  const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const { reader } = stage.github;
  const isHidden = (): boolean => {
    const waits = stage.waits.filter((waitMs) => waitMs >= 3_000);
    return waits.reduce((sum, waitMs) => sum + waitMs, 0) < 40_000;
  };
  const lagging: GithubReader = {
    ...reader,
    issue: async (at, signal) => {
      const lookup = await reader.issue(at, signal);
      if (lookup.type !== "found" || !isHidden()) return lookup;
      return { ...lookup, issue: { ...lookup.issue, commentCount: 0 } };
    },
    comments: async (at, signal) => (isHidden() ? [] : reader.comments(at, signal)),
  };
  failing(stage, "publishComment", "after", 1);
  expect(await stage.runWith({ reader: lagging })).toEqual(APPLIED);
  expect(stage.waits.filter((waitMs) => waitMs >= 3_000)).toEqual(SEARCH_MS.slice(0, 4));
  const posts = stage.github.calls.filter(({ operation }) => operation === "publishComment");
  expect(posts).toHaveLength(1);
  expect(await reader.comments(ref, new AbortController().signal)).toHaveLength(1);
});

test.concurrent.each(["addLabels", "removeLabel", "issue", "comments"] as const)(
  "publishing waits for the end of an outage at %s, and writes no second comment (T7)",
  async (operation) => {
    const stage = await outageStage();
    await using _ = stage;
    const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
    await stage.github.comment(ref, worldPeople.reporter, "More.");
    let isPublishing = false;
    let left = 2;
    stage.github.intercept = (call, phase) => {
      if (call.operation === "publishComment") isPublishing = true;
      const isStruck = isPublishing || operation === "issue" || operation === "comments";
      const isLate = stage.events.some((event) => event.type === "phase" && event.phase === "applying");
      if (call.operation !== operation || phase !== "before" || !isStruck || !isLate || left === 0) return;
      left -= 1;
      throw away();
    };
    expect(await stage.runWith()).toEqual(APPLIED);
    expect(left).toBe(0);
    const comments = await stage.github.reader.comments(ref, new AbortController().signal);
    expect(comments).toHaveLength(2);
  },
);

test.concurrent("the batch writes nothing stale after people changed the issue during an outage (T4)", async () => {
  const stage = await outageStage();
  await using _ = stage;
  const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  failing(stage, "publishComment", "before", 1, () =>
    stage.github.comment(ref, worldPeople.reporter, "Never mind."),
  );
  expect(await stage.runWith()).toEqual(["requeued issue-changed", "1 started"]);
});

type Happening = (stage: BatchStage, ref: IssueRef) => Promise<unknown>;

const { maintainer } = worldPeople;

test.concurrent.each<readonly [string, Happening, "open" | "closed", readonly string[]]>([
  [
    "decided otherwise",
    async ({ github }, ref) => {
      await github.label(ref, maintainer, "wontfix");
      await github.unlabel(ref, maintainer, "needs-triage");
    },
    "open",
    ["wontfix"],
  ],
  ["closed", ({ github }, ref) => github.setState(ref, maintainer, "closed"), "closed", ["needs-triage"]],
  ["locked", ({ github }, ref) => github.lock(ref, maintainer), "open", ["needs-triage"]],
])(
  "labels that an outage kept back after the comment are not set on an issue that a maintainer has %s meanwhile (policy 8, S13)",
  async (_, happening, state, labels) => {
    const stage = await outageStage();
    await using _stage = stage;
    const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
    failing(stage, "addLabels", "before", 1, () => {
      stage.advance(60_000);
      return happening(stage, ref);
    });
    expect(await stage.runWith()).toEqual(["requeued issue-changed", "1 started"]);
    const never = new AbortController().signal;
    expect(await stage.github.reader.issue(ref, never)).toMatchObject({ issue: { state, labels } });
    expect(await stage.github.reader.comments(ref, never)).toHaveLength(1);
  },
);

test.concurrent("a state that a maintainer sets while an outage keeps our labels back is an override of the published outcome (E3)", async () => {
  const stage = await outageStage();
  await using _ = stage;
  const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  failing(stage, "addLabels", "before", 1, async () => {
    const [comment] = await stage.github.reader.comments(ref, new AbortController().signal);
    // GitHub's times are whole seconds, and the batch may have taken some since its comment.
    stage.advance(Date.parse(comment?.createdAt ?? "") + 60_001 - stage.ports.clock.nowMs());
    await stage.github.label(ref, maintainer, "wontfix");
    await stage.github.unlabel(ref, maintainer, "needs-triage");
    stage.advance(60_000);
  });
  expect(await stage.runWith()).toEqual(["requeued issue-changed", "1 started"]);
  await stage.runWith();
  expect(openTrustLedger(stage.store).readable(null).facts).toMatchObject([
    {
      type: "decided",
      detail: { state: "needs-info", level: "apply", commentId: expect.any(Number) as number },
    },
    { type: "overridden", detail: { how: "label-changed", to: "wontfix", afterMs: 60_000 } },
  ]);
});

const declining = proposingAgent({
  outcome: "wontfix",
  confidence: "high",
  wontfix: { reason: "documented", outOfScope: null },
});

test.concurrent.each([
  ["for the first time", false],
  ["once more", true],
])(
  "a close whose answer an outage kept back is not repeated after a maintainer has reopened the issue %s (policy 8, S13)",
  async (_, wasReopened) => {
    const stage = await outageStage();
    await using _stage = stage;
    const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
    const reopen = () => stage.github.setState(ref, maintainer, "open");
    if (wasReopened) {
      await stage.github.setState(ref, maintainer, "closed");
      await reopen();
    }
    failing(stage, "closeIssue", "after", 1, reopen);
    expect(await stage.runWith({ triageAgent: declining })).toEqual(["applied needs-triage", "0 started"]);
    const lookup = await stage.github.reader.issue(ref, new AbortController().signal);
    expect(lookup).toMatchObject({ issue: { state: "open", labels: ["wontfix", "bug"] } });
  },
);

test.concurrent("a close that an outage kept back after the comment is not written after a maintainer has commented meanwhile (policy 8, S13)", async () => {
  const stage = await outageStage();
  await using _ = stage;
  const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  failing(stage, "closeIssue", "before", 1, () => {
    stage.advance(60_000);
    return stage.github.comment(ref, maintainer, "Keep it open, I am on it.");
  });
  expect(await stage.runWith({ triageAgent: declining })).toEqual(["requeued issue-changed", "0 started"]);
  const lookup = await stage.github.reader.issue(ref, new AbortController().signal);
  expect(lookup).toMatchObject({ issue: { state: "open" } });
});

/** The error with which GitHub refuses a comment and asks for a wait. */
const limited = (waitMs: number) => (): OperationalError =>
  new OperationalError({
    code: "GITHUB_RATE_LIMITED",
    message: "GitHub's rate limit asks for a wait",
    remedy: "wait",
    details: { waitMs },
  });

test.concurrent("a comment that GitHub's rate limit refuses is written after the wait and another look at issue and lock (policy 8)", async () => {
  const stage = await outageStage();
  await using _ = stage;
  const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  failing(stage, "publishComment", "before", 2, undefined, limited(40_000));
  expect(await stage.runWith()).toEqual(APPLIED);
  // A refused comment does not exist, so it is not searched for. When GitHub refuses again, the wait is doubled.
  expect(stage.waits.filter((waitMs) => waitMs >= 3_000)).toEqual([40_000, 80_000]);
  const operations = stage.github.calls.map(({ operation }) => operation);
  expect(operations.filter((operation) => operation === "publishComment")).toHaveLength(3);
  const [first, second] = [...operations.entries()].filter(([, one]) => one === "publishComment");
  expect(operations.slice(first?.[0], second?.[0])).toContain("issue");
  expect(await stage.github.reader.comments(ref, new AbortController().signal)).toHaveLength(1);
});

test.concurrent("the batch writes nothing stale after people changed the issue during the wait for a rate limit (policy 8, S13)", async () => {
  const stage = await outageStage();
  await using _ = stage;
  const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const meanwhile = () => stage.github.comment(ref, worldPeople.reporter, "Never mind.");
  failing(stage, "publishComment", "before", 1, meanwhile, limited(40_000));
  expect(await stage.runWith()).toEqual(["requeued issue-changed", "1 started"]);
});

test.concurrent("a rate limit that asks for more than a publication may take fails the issue at once (T9)", async () => {
  const stage = await outageStage();
  await using _ = stage;
  await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  failing(stage, "publishComment", "before", 1, undefined, limited(3_600_000));
  expect(await stage.runWith()).toEqual(["failed github-rate-limited", "1 started"]);
  expect(stage.waits).not.toContain(3_600_000);
  expect(await stage.runWith()).toEqual(APPLIED);
});

test.concurrent("an outage that outlasts the run fails the issue, and the next batch publishes without a second Triage Agent (T9)", async () => {
  const stage = await outageStage();
  await using _ = stage;
  await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  stage.github.intercept = ({ operation }, phase) => {
    // Lets the deadline of the publication pass.
    if (operation !== "publishComment" || phase !== "before") return;
    stage.expire((durationMs) => durationMs === 3 * 60_000);
    throw away();
  };
  expect(await stage.runWith()).toEqual(["failed github-unreachable", "1 started"]);
  stage.github.intercept = () => undefined;
  expect(await stage.runWith()).toEqual(APPLIED);
});

test.concurrent("a parent that is suspended after its comment looks at the issue again before it writes labels (policy 8, S13)", async () => {
  const stage = await outageStage();
  await using _ = stage;
  const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  let isSuspended = true;
  stage.github.intercept = async ({ operation }, phase) => {
    if (operation !== "publishComment" || phase !== "after" || !isSuspended) return;
    isSuspended = false;
    stage.advance(2 * 3_600_000);
    await stage.github.label(ref, maintainer, "wontfix");
    await stage.github.unlabel(ref, maintainer, "needs-triage");
  };
  expect(await stage.runWith()).toEqual(["requeued issue-changed", "1 started"]);
  const lookup = await stage.github.reader.issue(ref, new AbortController().signal);
  expect(lookup).toMatchObject({ issue: { labels: ["wontfix"] } });
});

test.concurrent("a repair whose last write's answer is lost counts as applied (T7)", async () => {
  const stage = await outageStage();
  await using _ = stage;
  const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  failing(stage, "addLabels", "before", 1, undefined, () => new Error("cut off") as OperationalError);
  expect(await stage.runWith()).toEqual(["failed internal-error", "1 started"]);
  failing(stage, "removeLabel", "after", 1);
  expect(await stage.runWith()).toEqual(["applied repair", "1 started"]);
  const lookup = await stage.github.reader.issue(ref, new AbortController().signal);
  expect(lookup).toMatchObject({ issue: { labels: ["needs-info", "bug"] } });
});

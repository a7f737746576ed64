import { join } from "node:path";
import { createVirtualClock, type VirtualClock } from "agent-tty/testing";
import type { Issue, IssueRef } from "../../../src/github/index.ts";
import {
  applyPublication,
  auditLogPath,
  createAuditLog,
  type Decision,
  defaultLabelNames,
  planPublication,
  renderComment,
  undoBatch,
  type UndoneIssue,
  type UndoPorts,
} from "../../../src/triage/index.ts";
import { createFakeGithub, type FakeGithub } from "../../support/github/fake-github.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { decideAlone, issueWith, outcomeWith } from "../facts.ts";

export const never = new AbortController().signal;
export const RUN = "20260430T141500Z";
export const closing = decideAlone({
  issue: issueWith(),
  outcome: outcomeWith({ outcome: "wontfix", wontfix: { reason: "documented", outOfScope: null } }),
  verification: { type: "not-attempted" },
});

export interface World extends AsyncDisposable {
  clock: VirtualClock;
  github: FakeGithub;
  ref: IssueRef;
  runsDirectory: string;
}

export async function openIssue(labels: string[] = ["needs-triage", "enhancement", "p1"]): Promise<World> {
  const directory = await temporaryDirectory();
  const clock = createVirtualClock();
  const github = createFakeGithub({ clock });
  github.intercept = async (_, phase) => {
    if (phase === "before") await clock.advance(1_000);
  };
  const ref = await github.createIssue({ title: "an issue", labels });
  const dispose = async (): Promise<void> => directory[Symbol.asyncDispose]();
  return { clock, github, ref, runsDirectory: join(directory.path, "runs"), [Symbol.asyncDispose]: dispose };
}

async function issueNow({ github, ref }: World): Promise<Issue> {
  const lookup = await github.reader.issue(ref, never);
  if (lookup.type === "gone") throw new Error("gone");
  return lookup.issue;
}

/** Does the writes of a batch that publishes, and records them in its audit log. */
export async function publish(world: World, decision: Decision, run = RUN): Promise<void> {
  const issue = await issueNow(world);
  const body = renderComment(decision, { issue, runId: run, markerKey: null, recording: null });
  const plan = planPublication({
    ref: world.ref,
    labelsNow: issue.labels,
    state: issue.state,
    decision,
    comment: { type: "to-publish", body },
    labelNames: defaultLabelNames,
  });
  const log = createAuditLog(auditLogPath(world.runsDirectory, run), world.clock);
  const { target } = plan;
  await log.append("publish", world.ref, {
    type: "decided",
    outcome: target.state ?? "swept",
    category: target.category,
    policy: [],
    labels: issue.labels,
  });
  const ports = {
    ...world.github,
    record: (fact: Parameters<typeof log.append>[2]) => log.append("publish", world.ref, fact),
  };
  await applyPublication(plan, ports, never, () => undefined);
}

export async function undo(
  world: World,
  dryRun = false,
  store: UndoPorts["store"] = { recordTrustFact: () => true, trustFacts: () => [], runsOfBatch: () => [] },
  issues: readonly number[] | null = null,
): Promise<UndoneIssue | undefined> {
  const { github, clock, runsDirectory } = world;
  const ports = {
    reader: github.reader,
    writer: github.writer,
    runsDirectory,
    store,
    clock,
    observe: () => undefined,
  };
  return (await undoBatch({ runId: RUN, issues, dryRun }, ports, never))[0];
}

export async function shown(world: World): Promise<{ labels: string[]; state: string; comments: number }> {
  const { labels, state } = await issueNow(world);
  const comments = await world.github.reader.comments(world.ref, never);
  return { labels: labels.toSorted(), state, comments: comments.length };
}

export const before = { labels: ["enhancement", "needs-triage", "p1"], state: "open", comments: 0 };

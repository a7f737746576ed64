import { createVirtualClock } from "agent-tty/testing";
import { expect, test } from "vitest";
import { type IssueComment, type Reaction, renderTriageNotes } from "../../src/github/index.ts";
import type { SweptIssue } from "../../src/sweep/index.ts";
import { textHash } from "../../src/sweep/swept/index.ts";
import { heedObjection } from "../../src/sweep/work/heed-objection.ts";
import { publishableVerdict } from "../../src/sweep/work/publishable-verdict.ts";
import type { AutonomyLevel } from "../../src/trust/index.ts";
import { fixedVerdict, sweptIssue } from "../support/swept-issue.ts";
import { issueWith, reporter, viewer } from "../triage/facts.ts";

const SAID_AT = "2026-11-01T00:00:00Z";
const issue = issueWith({ body: "It throws." });
const ours: IssueComment = {
  id: 50,
  body: "",
  author: viewer,
  createdAt: SAID_AT,
  updatedAt: SAID_AT,
  url: "u",
};
const said = {
  key: "fixed:commit",
  commentId: ours.id,
  url: "u",
  at: SAID_AT,
  closeAfter: "2026-11-15T00:00:00.000Z",
  textHash: textHash(issue),
};
const notesBody = renderTriageNotes({
  repo: issue.ref.repo,
  issue: issue.ref.number,
  outcome: "needs-info",
  run: "20261103T000000Z",
  body: "Which version?",
});
const proposed = sweptIssue(4, fixedVerdict, { said });
const later = "2026-11-03T00:00:00Z";

/** Returns the home's record after the read before a close or the next comment. */
async function heeded(
  facts: { issue?: typeof issue; comments?: IssueComment[]; reactions?: Reaction[] },
  swept = proposed,
): Promise<{ kept: SweptIssue; saved: SweptIssue[] }> {
  const saved: SweptIssue[] = [];
  const reactions = () => Promise.resolve(facts.reactions ?? []);
  const context = {
    viewer,
    stop: new AbortController().signal,
    ports: { clock: createVirtualClock(), reader: { reactions } },
  } as unknown as Parameters<typeof heedObjection>[2];
  const look = { issue, comments: [ours], ...facts };
  const kept = await heedObjection(swept, look, context, {
    save: async (one) => void saved.push(one),
  });
  return { kept, saved };
}

test("an edit of the issue, a reply and a reaction cancel the proposed close, even before a later comment (W3)", async () => {
  const reply = { ...ours, id: 60, author: reporter, createdAt: later, updatedAt: later };
  const reaction: Reaction = { of: "comment", content: "-1", author: reporter, createdAt: later };
  const objections: [string, Parameters<typeof heeded>[0]][] = [
    ["edit", { issue: { ...issue, body: "EDIT: it still throws in 2.0.0." } }],
    ["reply", { comments: [ours, reply] }],
    ["reaction", { reactions: [reaction] }],
  ];
  for (const [why, facts] of objections) {
    const { kept, saved } = await heeded(facts);
    expect(kept.close).toMatchObject({ type: "cancelled", why });
    expect(saved).toEqual([kept]);
  }
  expect(await heeded({})).toEqual({ kept: proposed, saved: [] });
});

test("a reply or reaction of the account under which the sweep runs cancels the close, unless the program wrote it (W3)", async () => {
  const maintainer = { ...viewer, isBot: false };
  const own = { ...ours, id: 60, author: maintainer, createdAt: later, updatedAt: later };
  const reply = { ...own, body: "Still broken for me." };
  const reaction: Reaction = { of: "comment", content: "-1", author: maintainer, createdAt: later };
  const notes = { ...own, body: notesBody };
  expect((await heeded({ comments: [ours, reply] })).kept.close).toMatchObject({ why: "reply" });
  expect((await heeded({ reactions: [reaction] })).kept.close).toMatchObject({ why: "reaction" });
  expect((await heeded({ comments: [ours, notes] })).kept.close).toEqual({ type: "open" });
});

test("our comment, hidden or edited by a person, cancels the close that it announced (W3)", async () => {
  const hidden = { ...ours, isMinimised: true };
  const edited = { ...ours, body: "We keep this open.", updatedAt: later };
  expect((await heeded({ comments: [hidden] })).kept.close).toMatchObject({ why: "comment-hidden" });
  expect((await heeded({ comments: [edited] })).kept.close).toMatchObject({ why: "comment-edited" });
});

/** Returns the policy of the comment on a fixed bug. */
function policyOf(
  close: SweptIssue["close"],
  level: AutonomyLevel = "apply",
  now: Parameters<typeof publishableVerdict>[1] = issue,
): readonly string[] {
  const context = {
    trust: { levelOf: () => level },
    ports: { clock: createVirtualClock(), runsDirectory: "/home/runs" },
  };
  const settings = { closes: true, graceMs: 1 };
  return publishableVerdict({ ...proposed, close }, now, context, { settings }).policy;
}

test("the comment on a new release does not propose a close again that was cancelled or performed (W3)", () => {
  const at = "2026-11-16T00:00:00.000Z";
  expect(policyOf({ type: "open" })).toEqual(["verdict-fixed", "close-proposed"]);
  expect(policyOf({ type: "cancelled", why: "reply", at })).toEqual(["verdict-fixed"]);
  expect(policyOf({ type: "done", at })).toEqual(["verdict-fixed"]);
});

test("a comment announces no close that autonomy withholds, or of an issue that people have reopened (W3, E4)", () => {
  for (const level of ["off", "shadow", "suggest"] as const)
    expect(policyOf({ type: "open" }, level)).toEqual(["verdict-fixed"]);
  const reopened = { ...issue, stateReason: "reopened" };
  expect(policyOf({ type: "open" }, "apply", reopened)).toEqual(["verdict-fixed"]);
});

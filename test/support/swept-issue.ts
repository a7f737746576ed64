import type { SweptIssue } from "../../src/sweep/index.ts";

/** Returns a swept issue of octo/widgets without evidence, reproduction or comment. */
export function sweptIssue(
  number: number,
  verdict: SweptIssue["verdict"],
  change: Partial<SweptIssue> = {},
): SweptIssue {
  return {
    schema: "afk-triage/swept-issue@1",
    repo: "octo/widgets",
    number,
    title: `issue ${number}`,
    url: `https://github.test/octo/widgets/issues/${number}`,
    labels: [],
    milestone: null,
    createdAt: `2024-01-0${number}T00:00:00Z`,
    reactions: 0,
    people: 1,
    seen: "f".repeat(64),
    updatedAt: "2024-02-01T00:00:00Z",
    runId: "20261101T000000Z",
    at: "2026-11-01T00:00:00.000Z",
    origin: "issue",
    verdict,
    evidence: null,
    reproduction: null,
    usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
    comment: { type: "none", why: "" },
    said: null,
    close: { type: "open" },
    isOpen: true,
    ...change,
  };
}

export const fixedVerdict = {
  type: "fixed",
  before: "1.0.0",
  runs: 3,
  release: "1.2.0",
  commit: "a",
  isExact: true,
} as const;
export const brokenVerdict = { type: "still-broken", commit: "b", since: "1.1.0", flaky: null } as const;

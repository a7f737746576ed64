import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { renderVerdict } from "../../src/sweep/comment/index.ts";
import type { SweptIssue, Verdict } from "../../src/sweep/index.ts";
import { issueWith } from "../triage/facts.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const reproduction = {
  attempted: true,
  reproduced: true,
  script: 'node -e \'require("widgets").parse("")\'',
  expect: { exitCode: 1, outputContains: "TypeError" },
  expected: "",
  actual: "",
  environment: "",
};

const VERDICTS: readonly Verdict[] = [
  { type: "still-broken", commit: COMMIT, since: "1.4.0", flaky: null },
  { type: "fixed", before: "1.0.0", runs: 3, release: "1.2.0", commit: COMMIT, isExact: true },
  { type: "not-reproduced", why: "The script exits with 0.", runs: 3 },
  { type: "needs-reproduction", why: "The script fails in whatever it calls.", hasRun: true },
  { type: "not-a-bug", why: "The script calls a function that never existed.", basis: "runs" },
  { type: "duplicate", of: 7, why: "Both scripts flip at one commit." },
];

function swept(verdict: Verdict): SweptIssue {
  return {
    schema: "afk-triage/swept-issue@1",
    repo: "octo/widgets",
    number: 123,
    title: "t",
    url: "https://github.test/octo/widgets/issues/123",
    labels: [],
    milestone: null,
    createdAt: "2024-01-01T00:00:00Z",
    reactions: 0,
    people: 1,
    seen: "f".repeat(64),
    updatedAt: "2026-11-01T00:00:00Z",
    runId: "20261101T000000Z",
    at: "2026-11-01T00:00:00.000Z",
    origin: "issue",
    verdict,
    evidence: null,
    reproduction,
    usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
    comment: { type: "published" },
    said: null,
    close: { type: "open" },
    isOpen: true,
  };
}

describe("the published comment on each verdict", () => {
  test.each(VERDICTS)("the comment on $type begins with one line of evidence (W4)", async (verdict) => {
    const closeAfter = verdict.type === "fixed" ? "2026-11-15T00:00:00.000Z" : null;
    const context = { issue: issueWith(), runId: "20261101T000000Z", markerKey: null, recording: null };
    const comment = renderVerdict({ swept: swept(verdict), closeAfter }, context);
    await expect(comment).toMatchFileSnapshot(join(import.meta.dirname, "golden", `${verdict.type}.txt`));
  });
});

import { expect, test } from "vitest";
import { parseMarker } from "../../src/github/index.ts";
import { renderComment } from "../../src/triage/index.ts";
import { decideAlone, issueWith, outcomeWith } from "./facts.ts";

test("a proposal says what it would do and how people can answer, and its marker requests no change (E4)", async () => {
  const decision = decideAlone({
    issue: issueWith(),
    outcome: outcomeWith({
      outcome: "wontfix",
      wontfix: { reason: "The documentation says so.", outOfScope: null },
    }),
    verification: { type: "not-attempted" },
  });
  const context = { issue: issueWith(), runId: "20260430T141500Z", markerKey: null, recording: null };
  const proposed = { target: decision, labels: ["bug", "wontfix"] };
  const comment = renderComment(decision, context, proposed);
  const extra = parseMarker(comment)?.extra;
  expect(extra).toMatchObject({ labels: "leave", proposes: "not_planned" });
  expect(extra).not.toHaveProperty("close");
  await expect(comment).toMatchFileSnapshot("golden/proposal.txt");
});

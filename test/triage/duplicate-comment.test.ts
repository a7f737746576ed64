import { expect, test } from "vitest";
import { type Decision, renderComment } from "../../src/triage/index.ts";
import { issueWith, provenDuplicate } from "./facts.ts";

function render(decision: Decision): string {
  return renderComment(decision, {
    issue: issueWith(),
    runId: "20260430T141500Z",
    markerKey: null,
    recording: null,
  });
}

test("a proven duplicate that is closed gets this comment (D5, D6)", async () => {
  await expect(render(provenDuplicate(true))).toMatchFileSnapshot("golden/duplicate.txt");
});

test("the comment on a proven duplicate that stays open says that it is a duplicate, not that it may be one (D5)", () => {
  const comment = render(provenDuplicate(false));
  expect(comment).toContain(
    "This is a duplicate of #7: the reproductions of both issues have the same cause.",
  );
  expect(comment).toContain("Both reproductions stop showing the bug with commit");
  expect(comment).not.toContain("may be");
});

test("the comment on a bug that is back says that the issue with the same cause is closed (D5)", () => {
  const comment = render(provenDuplicate(true, "closed"));
  expect(comment).toContain(
    "This is the same bug as #7, which is closed: the reproductions of both issues have the same cause, and the bug still shows.",
  );
  expect(comment).not.toContain("duplicate of");
});

import { expect, test } from "vitest";
import { issueDocument } from "../../src/board/source/issue-document.ts";

const comment = (index: number) => ({
  author: null,
  isReporter: index === 31,
  createdAt: "2026-11-22T08:12:00Z",
  body: `comment ${index}`,
});
const FILE = {
  schema: "afk-triage/issue@1",
  title: "It breaks",
  body: "See [the log](https://example.com/log) <img src=x>",
  author: "somebody",
  createdAt: "2026-11-22T08:00:00Z",
  labels: ["bug"],
  flags: [
    { place: "body", kind: "comment", count: 2 },
    { place: "title", kind: "zero-width", count: 1 },
  ],
  omittedComments: 4,
  comments: Array.from({ length: 32 }, (_, index) => comment(index)),
};

test("an issue file is laid out as text that does not act, with its newest 30 comments (B10)", () => {
  const issue = issueDocument(JSON.stringify(FILE));
  expect(issue).toMatchObject({ title: "It breaks", author: "somebody", omittedComments: 6, hiddenTexts: 3 });
  const [body] = issue?.blocks ?? [];
  expect(body?.spans).toContainEqual({ text: "the log", styles: [], url: "https://example.com/log" });
  expect(JSON.stringify(body)).not.toContain("<img");
  const texts = issue?.comments.map(({ blocks }) => blocks[0]?.spans[0]?.text);
  expect([texts?.length, texts?.[0], texts?.at(-1)]).toEqual([30, "comment 2", "comment 31"]);
  expect(issue?.comments.at(-1)?.isReporter).toBe(true);
});

test.each([null, "", "{", "[]", JSON.stringify({ ...FILE, title: 1 })])(
  "an issue file that is missing or damaged counts as not kept: %s (B7, B10)",
  (text) => {
    expect(issueDocument(text)).toBeNull();
  },
);

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { IssueDocument } from "../../src/board/index.ts";
import { issueDocument } from "../../src/board/source/issue-document.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

async function read(text: string | null): Promise<IssueDocument["issue"]> {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, "issue.json");
  if (text !== null) await writeFile(path, text);
  return (await issueDocument([{ kind: "issue", path }])).issue;
}

const comment = (index: number, body = `comment ${index}`) => ({
  author: null,
  isReporter: index === 31,
  createdAt: "2026-11-22T08:12:00Z",
  body,
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

test("an issue file is laid out as inert text, with its newest 30 comments (B10)", async () => {
  const issue = await read(JSON.stringify(FILE));
  expect(issue).toMatchObject({ title: "It breaks", author: "somebody", omittedComments: 6, hiddenTexts: 3 });
  const [body] = issue?.blocks ?? [];
  expect(body?.spans).toContainEqual({ text: "the log", styles: [], url: "https://example.com/log" });
  expect(JSON.stringify(body)).not.toContain("<img");
  const texts = issue?.comments.map(({ blocks }) => blocks[0]?.spans[0]?.text);
  expect([texts?.length, texts?.[0], texts?.at(-1)]).toEqual([30, "comment 2", "comment 31"]);
  expect(issue?.comments.at(-1)?.isReporter).toBe(true);
});

test("only the newest of many long comments are laid out, at most 100,000 characters, and the others are counted (B10)", async () => {
  const comments = [1, 2, 3].map((index) => comment(index, `${index}`.repeat(40_000)));
  const issue = await read(JSON.stringify({ ...FILE, comments }));
  const firsts = issue?.comments.map(({ blocks }) => blocks[0]?.spans[0]?.text.charAt(0));
  expect([firsts, issue?.omittedComments]).toEqual([["2", "3"], 5]);
});

test.each([null, "", "{", "[]", JSON.stringify({ ...FILE, title: 1 })])(
  "an issue file that is missing or damaged counts as not kept: %s (B7, B10)",
  async (text) => {
    expect(await read(text)).toBeNull();
  },
);

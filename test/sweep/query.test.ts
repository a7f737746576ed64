import { expect, test } from "vitest";
import type { Issue } from "../../src/github/index.ts";
import { matchesQuery, parseQuery } from "../../src/sweep/query/index.ts";

const issue: Issue = {
  ref: { repo: "octo/widgets", number: 40 },
  title: "Parser drops the last line",
  body: "Seen with CRLF.",
  state: "open",
  stateReason: null,
  locked: false,
  labels: ["Bug", "help wanted"],
  author: { id: 1, login: "Ada", isBot: false },
  createdAt: "2023-05-10T12:00:00Z",
  updatedAt: "2024-02-01T00:00:00Z",
  isPullRequest: false,
  url: "u",
  commentCount: 3,
  reactionCount: 7,
  milestone: "Next release",
};

function isSelected(text: string): boolean | string {
  const parsed = parseQuery(text);
  return parsed.type === "query" ? matchesQuery(issue, parsed.query) : `${parsed.term}: ${parsed.expected}`;
}

test.each([
  ["", true],
  ["is:issue is:open", true],
  ["label:bug", true],
  ['label:"help wanted" label:bug', true],
  ["label:docs", false],
  ["-label:docs author:ada", true],
  ['milestone:"next release"', true],
  ["no:milestone", false],
  ["-no:label", true],
  ["crlf parser", true],
  ["title:crlf", false],
  ["created:2023-05-10", true],
  ["created:<2023-05-10", false],
  ["created:<=2023-05-10", true],
  ["created:>2023-05-10", false],
  ["created:2023-01-01..2023-12-31 updated:>=2024-02-01", true],
  ["comments:>2 reactions:7", true],
  ["comments:4..*", false],
  ["number:1..40", true],
  ["-number:1..40", false],
  // Commas between label names are an "or", unless quotes hold them.
  ["label:docs,bug", true],
  ['label:"docs","help wanted"', true],
  ['-label:"docs","help wanted"', false],
  ["-label:docs,wontfix", true],
  ['label:"bug,docs"', false],
  // A time of day is a second, and a date a whole day.
  ["created:>2023-05-10T11:59:59Z", true],
  ["created:>2023-05-10T12:00:00Z", false],
  ["created:<=2023-05-10T11:59:59Z", false],
  ["created:2023-05-10T12:00:00Z", true],
  ["created:2023-05-01..2023-05-10T11:00:00Z", false],
])("an issue is selected by %j: %s (W1)", (text, expected) => {
  expect(isSelected(text)).toBe(expected);
});

test("an unknown term is refused, not ignored (W1)", () => {
  expect(isSelected("label:bug involves:me")).toContain("involves:me: one of label:");
  expect(isSelected("created:yesterday")).toContain("created:<2024-01-31");
  expect(isSelected("comments:many")).toContain("comments:>5");
  expect(isSelected("-is:open")).toContain("-is:open");
});

test("a term that selects nothing or everything by mistake is refused (W1)", () => {
  expect(isSelected("number:40..1")).toContain("number:>5");
  expect(isSelected("created:2024-01-01..2023-01-01")).toContain("created:<2024-01-31");
  expect(isSelected("title:")).toContain("title:WORD");
  expect(isSelected('label:bug title:"empty list')).toContain("a closing quote");
});

test("a value that GitHub gives a meaning of its own, or none, is refused rather than compared as a name (W1)", () => {
  expect(isSelected("-author:@me")).toContain("-author:@me: author:LOGIN");
  expect(isSelected("author:app/dependabot")).toContain("author:LOGIN");
  expect(isSelected("author:ada,bob")).toContain("author:LOGIN");
  expect(isSelected("-milestone:*")).toContain("milestone:NAME");
  expect(isSelected("label:*")).toContain("label:NAME");
  expect(isSelected("label:bug,")).toContain("label:NAME");
  expect(isSelected("label:bug OR label:docs")).toContain("OR: ");
  expect(isSelected("(label:bug label:docs)")).toContain("(label:bug: ");
  expect(isSelected('label:"@scope/bug"')).toBe(false);
});

import { expect, test } from "vitest";
import type { GithubReader, Issue, TimelineFact } from "../../../src/github/index.ts";
import { issueGone } from "../../../src/github/octokit/wire-errors.ts";
import type { TrustFact } from "../../../src/trust/index.ts";
import { BEGIN_MS, decidedFact } from "../../trust/decided-fact.ts";
import {
  counted,
  DAY_MS,
  isoSeconds,
  NOW_MS,
  observe,
  outcomeOf,
  replacedIssue,
  REPO,
  typesOf,
} from "../../support/batch/observe-facts.ts";

/**
 * A repository where people update other issues all the time (`others` of them in 80 days), and where a maintainer labelled each
 * of the `answered` issues an hour ago.
 */
function busyRepository({ others, answered }: { others: number; answered: number[] }): GithubReader {
  const updates = [
    ...Array.from({ length: others }, (_, at) => ({
      number: 10_000 + at,
      atMs: BEGIN_MS + 1_000 + (at * (79 * DAY_MS)) / others,
    })),
    ...answered.map((number) => ({ number, atMs: NOW_MS - 3_600_000 })),
  ].toSorted((a, b) => a.atMs - b.atMs);
  const listed = updates.map(
    ({ number, atMs }) =>
      ({ ref: { repo: REPO, number }, updatedAt: isoSeconds(atMs), author: null }) as unknown as Issue,
  );
  const maintainer = { id: 6, login: "maintainer", isBot: false };
  const labelled: TimelineFact = {
    type: "labeled",
    at: isoSeconds(NOW_MS - 3_600_000),
    actor: maintainer,
    label: "ready-for-agent",
  };
  return {
    updatedIssues: (_repo: string, { since, page }: { since: string | null; page: number }) =>
      Promise.resolve(
        listed.filter(({ updatedAt }) => updatedAt >= (since ?? "")).slice((page - 1) * 100, page * 100),
      ),
    timeline: () => Promise.resolve([labelled]),
  } as unknown as GithubReader;
}

const withheld = (number: number, daysAgo: number): TrustFact =>
  decidedFact(
    number,
    { level: "shadow", kind: "needs-info", state: "needs-info" },
    { repo: REPO, atMs: NOW_MS - daysAgo * DAY_MS },
  );

const overridden = (facts: readonly TrustFact[]): (number | null)[] =>
  facts.filter(({ type }) => type === "overridden").map(({ number }) => number);

test("a maintainer's act on a new outcome is seen although thousands of issues changed since the oldest one (E3, E4)", async () => {
  const reader = busyRepository({ others: 2_500, answered: [2] });
  expect(overridden(await observe(reader, [withheld(1, 80), withheld(2, 1)], 3))).toEqual([2]);
});

test("a listing that continues does not skip outcomes that were left for later (E3)", async () => {
  const many = Array.from({ length: 25 }, (_, at) => at + 1);
  const reader = busyRepository({ others: 1_500, answered: many });
  const given = [withheld(1_000, 80), ...many.map((number) => withheld(number, 1))];
  const facts = await observe(reader, given, 6, (batch) => (batch < 2 ? [7] : []));
  expect(overridden(facts).toSorted((a, b) => Number(a) - Number(b))).toEqual(many);
});

test("a new state after the reporter's answer is progress even if the listing has passed the issue (E3)", async () => {
  const reporter = { id: 9, login: "reporter", isBot: false };
  const maintainer = { id: 6, login: "maintainer", isBot: false };
  const at = (daysAgo: number): string => isoSeconds(NOW_MS - daysAgo * DAY_MS);
  const timeline: TimelineFact[] = [
    { type: "commented", at: at(7), actor: reporter },
    { type: "labeled", at: at(6), actor: maintainer, label: "ready-for-agent" },
  ];
  const issue = { ref: { repo: REPO, number: 2 }, updatedAt: at(6), author: reporter } as unknown as Issue;
  const reader = {
    ...busyRepository({ others: 0, answered: [] }),
    timeline: () => Promise.resolve(timeline),
    comments: () => Promise.resolve([]),
    issue: () => Promise.resolve({ type: "found", issue }),
  } as unknown as GithubReader;
  const upTo = at(1);
  const place = { repo: REPO, number: null, runId: "r", atMs: NOW_MS - DAY_MS };
  const given: TrustFact[] = [
    decidedFact(2, {}, { repo: REPO, atMs: NOW_MS - 8 * DAY_MS }),
    { type: "listed", key: `listed:${REPO}:${upTo}`, ...place, detail: { upTo } },
  ];
  const facts = await observe(reader, given, 1);
  expect(facts.slice(2).map(({ type }) => type)).toEqual(["replied", "looked", "stood"]);
});

test("issues that were deleted or transferred are looked at once, and do not prevent other outcomes from being observed (E3)", async () => {
  const asked: number[] = [];
  const gone = Array.from({ length: 10 }, (_, at) => at + 1);
  const { reader: known, listings } = counted(busyRepository({ others: 0, answered: [11] }));
  const reader: GithubReader = {
    ...known,
    timeline: async (ref, ...rest) => {
      asked.push(ref.number);
      if (ref.number <= 10) throw issueGone(ref, "read its timeline", "transferred");
      return known.timeline(ref, ...rest);
    },
  };
  const outcome = (number: number, days: number): TrustFact =>
    decidedFact(number, {}, { repo: REPO, atMs: NOW_MS - days * DAY_MS });
  const given = [...gone.map((number) => outcome(number, 8)), outcome(11, 2)];
  expect(overridden(await observe(reader, given, 3))).toEqual([11]);
  expect(asked).toEqual([...gone, 11]);
  // In the third batch nothing is left to observe.
  expect(listings()).toBe(2);
});

test("an act counts for the newest outcome of the issue, not for one that it replaced (E3, E4)", async () => {
  const reader = busyRepository({ others: 0, answered: [2] });
  const outcome = (runId: string, days: number): TrustFact => ({
    ...decidedFact(2, {}, { repo: REPO, runId, atMs: NOW_MS - days * DAY_MS }),
    key: `decided:${runId}`,
  });
  const facts = await observe(reader, [outcome("first", 3), outcome("second", 1)], 2);
  expect(facts.flatMap(({ type, runId }) => (type === "overridden" ? [runId] : []))).toEqual(["second"]);
  expect(facts.filter(({ type }) => type === "looked")).toHaveLength(1);
});

test("a question that was answered and replaced by a new outcome stands, and both are observed once (E3)", async () => {
  const actor = { id: 9, login: "reporter", isBot: false };
  const at = isoSeconds(NOW_MS - 79 * DAY_MS);
  const { reader, listings } = replacedIssue([{ type: "commented", at, actor }]);
  const ready = { kind: "ready-for-agent", state: "ready-for-agent" } as const;
  const facts = await observe(reader, [outcomeOf("asked", 80), outcomeOf("ready", 78, ready)], 3);
  expect(typesOf(facts)).toEqual([
    ["replied", "asked"],
    ["stood", "asked"],
    ["stood", "ready"],
  ]);
  expect(listings()).toBe(1);
});

test("a replaced proposal that was looked at is no longer observed (E3)", async () => {
  const { reader, listings } = replacedIssue([]);
  const given = [outcomeOf("withheld", 80, { level: "shadow" }), outcomeOf("applied", 78)];
  expect(typesOf(await observe(reader, given, 3))).toEqual([["stood", "applied"]]);
  expect(listings()).toBe(1);
});

test("a reaction to the comment of a replaced outcome counts for that outcome (E3)", async () => {
  const maintainer = { id: 6, login: "maintainer", isBot: false };
  const { reader } = replacedIssue([], {
    comments: () =>
      Promise.resolve([{ id: 50 }, { id: 51 }]) as unknown as ReturnType<GithubReader["comments"]>,
    reactions: (_, commentId) =>
      Promise.resolve(
        commentId === 50
          ? [{ content: "-1", author: maintainer, createdAt: isoSeconds(NOW_MS - DAY_MS), of: "comment" }]
          : [],
      ),
  });
  const given = [outcomeOf("first", 80, { commentId: 50 }), outcomeOf("second", 78, { commentId: 51 })];
  expect(typesOf(await observe(reader, given, 1))).toEqual([
    ["overridden", "first"],
    ["stood", "second"],
  ]);
});

import { join } from "node:path";
import { createVirtualClock, seededIds } from "agent-tty/testing";
import { describe, expect, test } from "vitest";
import { openSweptLibrary, type SweptIssue } from "../../src/sweep/index.ts";
import { createCommentAllowance } from "../../src/sweep/work/comment-allowance.ts";
import { isInShard, type Shard } from "../../src/triage/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const repo = "octo/widgets";
const clock = createVirtualClock();

function commented(number: number): SweptIssue {
  const at = new Date(clock.nowMs()).toISOString();
  return {
    schema: "afk-triage/swept-issue@1",
    repo,
    number,
    title: "",
    url: "",
    labels: [],
    milestone: null,
    createdAt: at,
    reactions: 0,
    people: 1,
    seen: "",
    updatedAt: at,
    runId: "20260101T000000Z",
    at,
    origin: "none",
    verdict: { type: "needs-reproduction", why: "", hasRun: false },
    evidence: null,
    reproduction: null,
    usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
    comment: { type: "published" },
    said: { key: "", commentId: number, url: "", at, closeAfter: null, textHash: null },
    close: { type: "open" },
    isOpen: true,
  };
}

/** Returns how many issues of one shard get a comment in one sweep; each comment is recorded in the home. */
async function comments(home: string, commentsPerDay: number, shard: Shard | null): Promise<number> {
  const library = openSweptLibrary(join(home, "sweeps"), seededIds(clock, 1));
  const allowance = createCommentAllowance(library, { commentsPerDay, shard }, clock);
  let granted = 0;
  for (let number = 1; number <= 30; number += 1) {
    const ref = { repo, number } as const;
    if (!isInShard(ref, shard) || !(await allowance.take(ref))) continue;
    await library.save(commented(number));
    granted += 1;
  }
  return granted;
}

describe.each([
  ["share a home", (): string => "home"],
  ["have separate homes", (index: number): string => `home-${index}`],
])("shards that %s", (_, homeOf) => {
  test("write no more comments in total than the repository's allowance, however often they run (W4)", async () => {
    await using directory = await temporaryDirectory();
    let written = 0;
    for (const index of [1, 2, 3, 2, 1, 3])
      written += await comments(join(directory.path, homeOf(index)), 8, { index, count: 3 });
    expect(written).toBe(8);
  });
});

test("issues that request comments at the same time get no more in total than the allowance (W4)", async () => {
  await using directory = await temporaryDirectory();
  const library = openSweptLibrary(join(directory.path, "sweeps"), seededIds(clock, 1));
  const allowance = createCommentAllowance(library, { commentsPerDay: 2, shard: null }, clock);
  const granted = await Promise.all([1, 2, 3, 4].map((number) => allowance.take({ repo, number })));
  expect(granted).toEqual([true, true, false, false]);
});

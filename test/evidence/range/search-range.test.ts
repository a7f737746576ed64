import { array, assert, asyncProperty, constantFrom, nat } from "fast-check";
import { describe, expect, test } from "vitest";
import { describeRange, type Range, type RangeEnd, searchRange } from "../../../src/evidence/index.ts";
import { type FakeCommit, fakeRepository, straight } from "./fake-repository.ts";

const { signal } = new AbortController();

async function rangeOf(
  commits: readonly FakeCommit[],
  bad: string,
  options: Parameters<typeof fakeRepository>[1] & { budgetMs?: number; head?: "good" } = {},
): Promise<Range & { probed: string[] }> {
  const { ports, probed } = fakeRepository(commits, options);
  const head = options.head === undefined ? null : { commit: commits.at(-1)?.id ?? "", state: options.head };
  const range = await searchRange({ bad, head, budgetMs: options.budgetMs ?? 1e9 }, { ...ports, signal });
  return { ...range, probed };
}

describe("the range of a bug", () => {
  test("the range names the first bad and first fixed version and commit if every version can be tested (V4)", async () => {
    const commits = straight("good:v1.0.0 good bad bad:v1.1.0 bad:v1.2.0 good good:v1.3.0 good:v2.0.0");
    const { firstBad, firstFixed, flips, notes } = await rangeOf(commits, "c4");
    expect(firstBad).toEqual({ type: "exact", at: { version: "1.1.0", commit: "c2" } });
    expect(firstFixed).toEqual({ type: "exact", at: { version: "1.3.0", commit: "c5" } });
    expect([flips, notes]).toEqual([2, []]);
  });

  test("a bug in the oldest version is initial, and a bug in the newest version is never fixed (V4)", async () => {
    const { firstBad, firstFixed } = await rangeOf(straight("bad:v1.0.0 bad:v1.1.0"), "c1");
    expect(firstBad).toEqual({ type: "initial", at: { version: "1.0.0", commit: "c0" } });
    expect(firstFixed).toEqual({ type: "never" });
  });

  test("the range says that older versions could not be run, not that none is free of the bug (V4)", async () => {
    const range = await rangeOf(straight("untestable:v1.0.0 bad:v1.1.0"), "c1");
    expect(describeRange(range)).toEqual([
      "First bad: 1.1.0 (commit c1); no older version that could be run is free of the bug.",
      "First fixed: no version or commit yet.",
      "First bad version: Not tested: 1.0.0. The script ended with exit code 127.",
      "First bad commit: Not tested: c0. The script ended with exit code 127.",
    ]);
  });

  test("versions are ordered by number even if tags were created in another order (V4)", async () => {
    const commits = straight("good:v1.9.0 bad:v1.10.0 good:v1.10.1 bad:v2.0.0 good:v1.9.1");
    const { firstBad, firstFixed, flips, notes } = await rangeOf(commits, "c1");
    expect(firstBad).toMatchObject({ at: { version: "1.10.0" } });
    expect(firstFixed).toMatchObject({ at: { version: "1.10.1" } });
    expect(flips).toBe(3);
    expect(notes).toContain(
      "The bug was there more than once, by version number: good from 1.9.0, bad from 1.10.0, good from 1.10.1, bad from 2.0.0.",
    );
  });

  test("an interval names the version that cannot be tested, with the reason (V4)", async () => {
    const commits = straight("good:v1.0.0 untestable:v1.1.0 bad:v1.2.0");
    const { firstBad } = await rangeOf(commits, "c2");
    expect(firstBad).toEqual({
      type: "interval",
      after: { version: "1.0.0", commit: "c0" },
      upTo: { version: "1.2.0", commit: null },
      untestable: "Not tested: 1.1.0. The script ended with exit code 127.",
    });
  });

  test("a version that fails with the exit code of the bug, but in another way, is not called bad (V4)", async () => {
    const commits = straight("good:v1.0.0 bad:v1.1.0 bad:v1.2.0 bad:v1.3.0 good:v1.4.0");
    const failures = { c1: "SyntaxError: Unexpected token", c2: "Error: # == #", c3: "Error: # == #" };
    expect(await rangeOf(commits, "c3", { failures })).toMatchObject({
      firstBad: {
        type: "interval",
        after: { version: "1.0.0" },
        upTo: { version: "1.2.0" },
        untestable:
          "Not tested: 1.1.0. The script fails there with the exit code of the bug, but in another way.",
      },
      firstFixed: { type: "exact", at: { version: "1.4.0" } },
    });
  });

  test("if a commit between versions cannot be tested, the version is exact and the commit unknown (V4)", async () => {
    const { firstBad, notes } = await rangeOf(straight("good:v1.0.0 untestable bad:v1.1.0"), "c2");
    expect(firstBad).toEqual({ type: "exact", at: { version: "1.1.0", commit: null } });
    expect(notes).toEqual([
      "First bad commit: c2 or a commit near it. Not tested: c1. The script ended with exit code 127.",
    ]);
  });

  test("only commits are searched if the repository has no tags (V4)", async () => {
    const { firstBad, firstFixed } = await rangeOf(straight("good good bad bad bad"), "c4");
    expect(firstBad).toEqual({ type: "exact", at: { version: null, commit: "c2" } });
    expect(firstFixed).toEqual({ type: "never" });
  });

  test("a fix on the default branch after the newest version has a commit but no version yet (V4, V5)", async () => {
    const commits = straight("good:v1.0.0 bad:v1.1.0 bad good good");
    const { firstFixed } = await rangeOf(commits, "c1", { head: "good" });
    expect(firstFixed).toEqual({ type: "exact", at: { version: null, commit: "c3" } });
  });

  test("the release of a fix that no tagged version has is a published version without a tag (V4, V5)", async () => {
    const commits = straight("good:v1.0.0 bad:v1.1.0 good");
    const fixedIn = async (published: Record<string, FakeCommit["state"]>): Promise<RangeEnd> =>
      (await rangeOf(commits, "c1", { head: "good", published })).firstFixed;
    const unreleased = { type: "exact", at: { version: null, commit: "c2" } };
    // A package without the newest tagged version may be another one of the same name.
    expect(await fixedIn({ "1.0.0": "bad", "1.2.0": "good" })).toEqual(unreleased);
    expect(await fixedIn({ "1.1.0": "bad", "2.0.0-rc.1": "good" })).toEqual(unreleased);
    expect(await fixedIn({ "1.1.0": "bad", "1.2.0": "bad" })).toEqual(unreleased);
    expect(await fixedIn({ "1.1.0": "bad", "1.10.0": "good", "1.2.0": "bad", "1.3.0": "good" })).toEqual({
      type: "exact",
      at: { version: "1.3.0", commit: "c2" },
    });
    expect(await fixedIn({ "1.1.0": "bad", "1.2.0": "untestable", "1.3.0": "good" })).toEqual({
      type: "interval",
      after: { version: "1.1.0", commit: "c1" },
      upTo: { version: "1.3.0", commit: "c2" },
      untestable: "Not tested: 1.2.0. The script ended with exit code 127.",
    });
  });

  test("versions that only the registry has are run in their published form (V4)", async () => {
    const published = { "1.0.0": "good", "1.1.0": "bad", "1.2.0": "bad" } as const;
    const { firstBad, notes, probed } = await rangeOf(straight("bad bad:v1.2.0"), "c1", { published });
    expect(firstBad).toEqual({ type: "exact", at: { version: "1.1.0", commit: null } });
    expect(notes).toEqual(["First bad commit: No tag names the commit of 1.0.0."]);
    expect(probed).toContain("1.0.0");
  });

  test("commits are searched from the common ancestor if the older version is on another branch (V4)", async () => {
    const commits: FakeCommit[] = [
      { id: "base", state: "good", parent: null },
      { id: "old", state: "good", parent: "base", tags: ["v1.0.1"] },
      { id: "n1", state: "good", parent: "base" },
      { id: "n2", state: "bad", parent: "n1" },
      { id: "n3", state: "bad", parent: "n2", tags: ["v2.0.0"] },
    ];
    const { firstBad } = await rangeOf(commits, "n3");
    expect(firstBad).toEqual({ type: "exact", at: { version: "2.0.0", commit: "n2" } });
  });

  test("a back-ported fix does not make a later version that does not come from it the first bad one (V4)", async () => {
    const commits: FakeCommit[] = [
      { id: "c0", state: "good", parent: null, tags: ["v0.9.0"] },
      { id: "c1", state: "bad", parent: "c0", tags: ["v1.0.0"] },
      { id: "port1", state: "good", parent: "c1", tags: ["v1.0.1"] },
      { id: "port2", state: "good", parent: "port1", tags: ["v1.0.2"] },
      { id: "c2", state: "bad", parent: "c1", tags: ["v2.0.0"] },
    ];
    const { firstBad, notes } = await rangeOf(commits, "c2");
    expect(firstBad).toEqual({ type: "exact", at: { version: "1.0.0", commit: "c1" } });
    expect(notes).toEqual([
      "Free of the bug, but not counted: 1.0.2, 1.0.1. 2.0.0 does not descend from them, so it still has the bug.",
    ]);
  });

  test("a tag with a higher number that is older in the history does not fix the bug (V4)", async () => {
    const commits = straight("good:v1.0.0 good:2024.1.15 bad:v1.1.0 bad:v1.2.0");
    const { firstBad, firstFixed, notes } = await rangeOf(commits, "c2");
    expect(firstBad).toEqual({ type: "exact", at: { version: "1.1.0", commit: "c2" } });
    expect(firstFixed).toEqual({ type: "never" });
    expect(notes).toEqual([
      "Free of the bug, but not counted: 2024.1.15. In the history, 1.2.0 comes after them.",
    ]);
  });

  test("a line of commits whose older part is missing gives neither an initial nor an exact end at its cut (V4)", async () => {
    const bugOlder = straight("good bad bad bad bad");
    expect((await rangeOf(bugOlder, "c4", { maxCommits: 3 })).firstBad).toEqual({
      type: "unknown",
      reason: "c1 or an older commit; those before it were not run.",
    });
    const versions = straight("good:v1.0.0 bad bad bad bad bad:v1.1.0 good good good good good:v1.2.0");
    const { firstBad, firstFixed, notes } = await rangeOf(versions, "c5", { maxCommits: 3 });
    expect([firstBad, firstFixed]).toEqual([
      { type: "exact", at: { version: "1.1.0", commit: null } },
      { type: "exact", at: { version: "1.2.0", commit: null } },
    ]);
    expect(notes).toEqual([
      "First bad commit: c2 or an older commit; those before it were not run.",
      "First fixed commit: c7 does not have the bug, and the commits before it were not run.",
    ]);
  });

  test("the oldest commit of a shallow clone is not called the initial one (V4)", async () => {
    const { firstBad } = await rangeOf(straight("bad bad"), "c1", { isShallow: true });
    expect(firstBad).toEqual({
      type: "unknown",
      reason: "c0 or an older commit; those before it were not run.",
    });
  });

  test("a commit is not the first bad one if its own parent, which the older version was branched off, has the bug (V4)", async () => {
    const commits: FakeCommit[] = [
      { id: "c0", state: "bad", parent: null },
      { id: "release", state: "good", parent: "c0", tags: ["v1.0.0"] },
      { id: "c1", state: "bad", parent: "c0" },
      { id: "merge", state: "bad", parent: "c1", merged: "release" },
      { id: "c2", state: "bad", parent: "merge", tags: ["v1.1.0"] },
    ];
    const { firstBad, notes } = await rangeOf(commits, "c2");
    expect(firstBad).toEqual({ type: "exact", at: { version: "1.1.0", commit: null } });
    expect(notes).toEqual(["First bad commit: c0 or an older commit; those before it were not run."]);
  });

  /** 1.0.0 is good, and 1.1.0 merges a branch of three commits with these states. */
  const merging = (...[b1, b2, b3, merge]: FakeCommit["state"][]): FakeCommit[] => [
    { id: "base", state: "good", parent: null, tags: ["v1.0.0"] },
    { id: "main", state: "good", parent: "base" },
    { id: "b1", state: b1 ?? "good", parent: "base" },
    { id: "b2", state: b2 ?? "good", parent: "b1" },
    { id: "b3", state: b3 ?? "good", parent: "b2" },
    { id: "merge", state: merge ?? "bad", parent: "main", merged: "b3", tags: ["v1.1.0"] },
  ];

  test("a bug or a fix that came with a merged branch has the commit of that branch (V4)", async () => {
    const { firstBad } = await rangeOf(merging("good", "bad", "bad"), "merge");
    expect(firstBad).toEqual({ type: "exact", at: { version: "1.1.0", commit: "b2" } });
    const commits: FakeCommit[] = [
      { id: "bug", state: "bad", parent: null, tags: ["v1.0.0"] },
      { id: "b1", state: "bad", parent: "bug" },
      { id: "b2", state: "good", parent: "b1" },
      { id: "release", state: "good", parent: "bug", merged: "b2", tags: ["v1.1.0"] },
    ];
    const { firstFixed } = await rangeOf(commits, "bug");
    expect(firstFixed).toEqual({ type: "exact", at: { version: "1.1.0", commit: "b2" } });
  });

  test("a merge has the bug by itself if the branch is good, or if the bug is older than the branch (V4)", async () => {
    const atMerge = { type: "exact", at: { version: "1.1.0", commit: "merge" } };
    expect((await rangeOf(merging("good", "good", "good"), "merge")).firstBad).toEqual(atMerge);
    const older: FakeCommit[] = [
      { id: "old", state: "bad", parent: null },
      { id: "fixed", state: "good", parent: "old", tags: ["v1.0.0"] },
      { id: "b1", state: "bad", parent: "old" },
      { id: "merge", state: "bad", parent: "fixed", merged: "b1", tags: ["v1.1.0"] },
    ];
    expect((await rangeOf(older, "merge")).firstBad).toEqual(atMerge);
  });

  test("the merge stands for its branch if the branch cannot be tested, and a note says so (V4)", async () => {
    const atMerge = { type: "exact", at: { version: "1.1.0", commit: "merge" } };
    const lead = "First bad commit: merge is a merge, and the commit in its branch is not known.";
    const tip = await rangeOf(merging("good", "bad", "untestable"), "merge");
    expect([tip.firstBad, tip.notes]).toEqual([atMerge, [`${lead} b3, which it merges, cannot be tested.`]]);
    const within = await rangeOf(merging("good", "untestable", "bad"), "merge");
    expect(within.firstBad).toEqual(atMerge);
    expect(within.notes[0]).toBe(
      `${lead} b3 or a commit near it. Not tested: b2. The script ended with exit code 127.`,
    );
  });

  test("a fix that was reverted and applied again before its version is told (V4)", async () => {
    const { firstFixed, notes } = await rangeOf(
      straight("good:v1.0.0 bad:v1.1.0 bad good bad good:v1.2.0"),
      "c1",
    );
    expect(firstFixed).toEqual({ type: "exact", at: { version: "1.2.0", commit: "c3" } });
    expect(notes).toEqual([
      "First fixed commit: Along the commits, the bug was there more than once: bad from c1, good from c3, bad from c4, good from c5.",
    ]);
  });

  test("an end is not exact if the version or commit without the bug shows it in another run (V4)", async () => {
    const commits = straight("good:v1.0.0 good bad bad:v1.1.0 good good:v1.2.0");
    const reason = (name: string): string => `${name} showed the bug in one run and not in another.`;
    expect(await rangeOf(commits, "c3", { later: { c0: "bad", c5: "bad" } })).toMatchObject({
      firstBad: { type: "unknown", reason: reason("1.0.0") },
      firstFixed: { type: "unknown", reason: reason("1.2.0") },
    });
    const { firstBad, firstFixed, notes } = await rangeOf(commits, "c3", { later: { c1: "bad", c4: "bad" } });
    expect(firstBad).toEqual({ type: "exact", at: { version: "1.1.0", commit: null } });
    expect(firstFixed).toEqual({ type: "exact", at: { version: "1.2.0", commit: null } });
    expect(notes).toEqual([`First bad commit: ${reason("c1")}`, `First fixed commit: ${reason("c4")}`]);
  });

  test("the search ends within its budget and reports that the time ended (V4)", async () => {
    const commits = straight(Array.from({ length: 300 }, (_, at) => `bad:v1.${at}.0`).join(" "));
    const { firstBad, probed } = await rangeOf(commits, "c150", { budgetMs: 20, probeMs: 1 });
    expect(firstBad).toMatchObject({
      type: "unknown",
      reason: expect.stringContaining("The time for the search ended"),
    });
    expect(probed.length).toBeLessThanOrEqual(21);
  });

  test("an exact version is the same as when every version is run, for any history (V4, V10)", async () => {
    const words = array(constantFrom("bad", "bad", "good", "untestable"), { minLength: 1, maxLength: 25 });
    await assert(
      asyncProperty(words, nat(24), nat(40), async (states, at, budgetMs) => {
        const origin = at % states.length;
        const all = states.with(origin, "bad");
        const commits = straight(all.map((state, index) => `${state}:v1.${index}.0`).join(" "));
        const { firstBad, firstFixed } = await rangeOf(commits, `c${origin}`, { budgetMs });
        const told = all.flatMap((state, index) => (state === "untestable" ? [] : [{ state, index }]));
        const position = told.findIndex(({ index }) => index === origin);
        const good = told.findLastIndex(({ state }, index) => index < position && state === "good");
        const fixed = told.findIndex(({ state }, index) => index > position && state === "good");
        const version = (index: number | undefined): string => `1.${index}.0`;
        const named = (end: RangeEnd): string | null => (end.type === "exact" ? end.at.version : null);
        expect([version(told[good + 1]?.index), null]).toContain(named(firstBad));
        expect([version(told[fixed]?.index), null]).toContain(named(firstFixed));
        expect([
          firstBad.type === "initial" && good !== -1,
          firstFixed.type === "never" && fixed !== -1,
        ]).toEqual([false, false]);
      }),
    );
  });
});

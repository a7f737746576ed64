import { join } from "node:path";
import { createVirtualClock } from "agent-tty/testing";
import { expect, test } from "vitest";
import { type DuplicateLinkFacts, openStore, type Store } from "../../src/store/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const link: DuplicateLinkFacts = {
  repo: "octo/widgets",
  first: 9,
  second: 3,
  kind: "may-be",
  runId: "20260101T000000Z",
  reporters: { 3: 1, 9: null },
  evidenced: [],
  titles: { 3: "Crash on an empty file", 9: "The empty file makes it crash" },
  reasons: ["Shared words: crash"],
};

async function withStore(use: (store: Store) => void): Promise<void> {
  await using home = await temporaryDirectory();
  using store = await openStore({ path: join(home.path, "store.sqlite"), clock: createVirtualClock() });
  use(store);
}

test("a link is stored once for both issues, the smaller number first (D6)", async () => {
  await withStore((store) => {
    store.linkDuplicates(link);
    store.linkDuplicates({ ...link, first: 3, second: 9 });
    expect(store.duplicateLinks(link.repo)).toEqual([{ ...link, first: 3, second: 9 }]);
    expect(store.duplicateLinks("octo/other")).toEqual([]);
    expect(store.duplicateLinks(null)).toHaveLength(1);
  });
});

test("a may-be link does not replace a proven link (D6)", async () => {
  await withStore((store) => {
    store.linkDuplicates({ ...link, kind: "proven" });
    store.linkDuplicates(link);
    expect(store.duplicateLinks(null)).toMatchObject([{ kind: "proven" }]);
  });
});

const later = "20260102T000000Z";

test.each([
  ["a later run decided about the newer issue", "decided", later, 9, {}, 0],
  ["the run that chose it decided", "decided", link.runId, 9, {}, 1],
  ["a later run decided about the older issue", "decided", later, 3, {}, 1],
  ["the run that chose it was undone", "overridden", link.runId, 9, { how: "undone" }, 0],
  ["people chose another label", "overridden", link.runId, 9, { how: "label-changed" }, 1],
])(
  "a may-be link counts as long as the outcome that named it stands, and a proven link always: %s (D6)",
  async (_, type, runId, number, detail, expected) => {
    await withStore((store) => {
      const { repo } = link;
      store.linkDuplicates(link);
      store.linkDuplicates({ ...link, first: 4, second: 9, kind: "proven" });
      store.recordTrustFact({ key: "k", repo, number, runId, type, atMs: 0, detail });
      expect(store.duplicateLinks(repo).filter(({ kind }) => kind === "may-be")).toHaveLength(expected);
      expect(store.duplicateLinks(null).filter(({ kind }) => kind === "proven")).toHaveLength(1);
      // A new choice counts again.
      const chosen = { ...link, first: 5, second: 9, runId: later };
      store.linkDuplicates(chosen);
      expect(store.duplicateLinks(repo)).toContainEqual(chosen);
    });
  },
);

test("an issue cannot be linked to itself (D6)", async () => {
  await withStore((store) => {
    expect(() => store.linkDuplicates({ ...link, second: link.first })).toThrow(/CHECK constraint/);
    expect(store.duplicateLinks(null)).toEqual([]);
  });
});

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

test("an issue cannot be linked to itself (D6)", async () => {
  await withStore((store) => {
    expect(() => store.linkDuplicates({ ...link, second: link.first })).toThrow(/CHECK constraint/);
    expect(store.duplicateLinks(null)).toEqual([]);
  });
});

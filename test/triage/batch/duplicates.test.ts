import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { feedIndex } from "../../../src/duplicates/index.ts";
import type { Outcome } from "../../../src/triage/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { proposingAgent } from "../../support/batch/in-process-agent.ts";

interface SeenIssueFile {
  candidates: { number: number; title: string; state: string; shared: { words: string[] } }[];
}

/** Creates two issues and triages the second one with a Triage Agent that proposes `change`. */
async function triage(change: Partial<Outcome>, isFirstGone = false) {
  await using stage = await openBatchStage();
  const { github } = stage;
  await github.createIssue({ title: "Crash: the parser reads an empty list\u202e", by: "ann" });
  const second = await github.createIssue({
    title: "The parser crashes on an empty list",
    labels: ["needs-triage"],
  });
  if (isFirstGone) {
    const { signal } = new AbortController();
    const index = await stage.ports.duplicates.of(github.repo);
    await feedIndex(index, github.repo, github.reader, { maxRequests: 1, isWithheld: () => false, signal });
    expect(index.size()).toBe(2);
    github.remove({ repo: github.repo, number: 1 }, "deleted");
  }
  let seen: SeenIssueFile = { candidates: [] };
  let prompt = "";
  const triageAgent = proposingAgent(change, async (_, { files }) => {
    seen = JSON.parse(await readFile(files.issue, "utf8")) as SeenIssueFile;
    prompt = await readFile(files.prompt, "utf8");
  });
  const summary = await stage.run({ ports: { triageAgent } });
  const [comment] = await github.reader.comments(second, new AbortController().signal);
  const index = await stage.ports.duplicates.of(github.repo);
  return {
    seen,
    prompt,
    policy: summary.issues.find(({ number }) => number === 2)?.policy,
    comment: comment?.body ?? "",
    links: stage.store.duplicateLinks(github.repo),
    indexed: index.size(),
    ann: github.person("ann").id,
  };
}

test("a batch feeds the index and offers earlier issues to the Triage Agent as untrusted data (D1, D2)", async () => {
  const { seen, prompt, policy, links, indexed } = await triage({});
  expect(seen.candidates).toMatchObject([
    { number: 1, state: "open", shared: { words: expect.arrayContaining(["parser"]) as string[] } },
  ]);
  expect(seen.candidates[0]?.title).not.toContain("\u202e");
  expect(prompt).not.toContain("parser");
  expect(JSON.parse(/"duplicateOf": (\{[^}]*\})/.exec(prompt)?.[1] ?? "")).toEqual({ enum: [1, null] });
  expect({ policy, links, indexed }).toEqual({ policy: [], links: [], indexed: 2 });
});

test("the comment calls the chosen candidate a possible duplicate, with reasons (D2, D6)", async () => {
  const { policy, comment, links, ann } = await triage({ duplicateOf: 1 });
  expect(policy).toEqual(["possible-duplicate"]);
  expect(comment).toContain("This may be a duplicate of #1");
  expect(comment).toMatch(/Shared words: .*parser/);
  expect(comment).not.toContain("is a duplicate of");
  expect(links).toMatchObject([{ first: 1, second: 2, kind: "may-be", reporters: { 1: ann } }]);
});

test("a number that was not offered is rejected and not published (D2)", async () => {
  const { policy, comment, links } = await triage({ duplicateOf: 77 });
  expect(policy).toEqual(["duplicate-not-offered"]);
  expect(comment).not.toContain("#77");
  expect(links).toEqual([]);
});

test("an issue that was deleted after it was indexed is not offered, and is removed from the index (D1)", async () => {
  const { seen, policy, indexed } = await triage({ duplicateOf: 1 }, true);
  expect(seen.candidates).toEqual([]);
  expect(policy).toEqual(["duplicate-not-offered"]);
  expect(indexed).toBe(1);
});

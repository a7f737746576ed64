import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test, vi } from "vitest";
import { type BatchStage, openBatchStage } from "../../support/batch/batch-stage.ts";

// Real batches, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const { signal } = new AbortController();
const SEARCHING = {
  settings: { reproduction: { place: "fresh" as const, runs: 2, timeoutMs: 20_000, rangeMs: 60_000 } },
};

async function commit(stage: BatchStage, text: string, tag: string): Promise<string> {
  const cwd = join(stage.directory, "product");
  await writeFile(join(cwd, "widget.mjs"), text);
  const git = execa({ cwd, env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" } });
  await git`git -c user.name=t -c user.email=t@example.test commit --quiet --all --message ${tag}`;
  await git`git tag ${tag}`;
  return (await git`git rev-parse HEAD`).stdout;
}

test("a batch proves by running both reproductions that an issue repeats an earlier one that is still there, and says so (D5, D6)", async () => {
  await using stage = await openBatchStage();
  await commit(stage, "export const first = (list) => list[0]?.name;\n", "v1.0.0");
  const bad = await commit(stage, "export const first = (list) => list[0].name;\n", "v1.1.0");
  const triage = async (): Promise<{ policy: readonly string[]; comment: string }> => {
    const ref = await stage.github.createIssue({
      title: "honest",
      body: "It throws.",
      labels: ["needs-triage"],
    });
    const { issues } = await stage.run(SEARCHING);
    const comments = await stage.github.reader.comments(ref, signal);
    const summary = issues.find(({ number }) => number === ref.number);
    return { policy: summary?.policy ?? [], comment: comments.at(-1)?.body ?? "" };
  };
  expect((await triage()).policy).toEqual(["reproduction-verified"]);
  const { policy, comment } = await triage();
  expect(stage.warnings()).toEqual([]);
  expect(policy).toEqual(["reproduction-verified", "proven-duplicate"]);
  expect(comment).toContain("This is a duplicate of #1: the reproductions of both issues show one cause.");
  expect(comment).toContain(`Both reproductions begin to show the bug with commit \`${bad.slice(0, 12)}\``);
  expect(stage.store.duplicateLinks(stage.github.repo)).toMatchObject([
    { first: 1, second: 2, kind: "proven", evidenced: [1, 2] },
  ]);
  for (const number of [1, 2]) stage.github.remove({ repo: stage.github.repo, number }, "deleted");
  expect((await triage()).policy).toEqual(["reproduction-verified"]);
});

import { expect, test, vi } from "vitest";
import { proveDuplicates } from "../../../src/triage/batch/verification/prove-duplicates.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { commitWidget } from "../../support/batch/commit-widget.ts";

// The tests run real batches, on a machine that may be busy.
vi.setConfig({ testTimeout: 400_000 });

const { signal } = new AbortController();
const SEARCHING = {
  settings: { reproduction: { place: "fresh" as const, runs: 2, timeoutMs: 20_000, rangeMs: 60_000 } },
};

test("a batch proves an issue to be a duplicate of an existing earlier one by running both reproductions, and says so (D5, D6)", async () => {
  await using stage = await openBatchStage();
  await commitWidget(stage, "export const first = (list) => list[0]?.name;\n", "v1.0.0", "v1.0.0");
  const bad = await commitWidget(stage, "export const first = (list) => list[0].name;\n", "v1.1.0", "v1.1.0");
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
  expect(comment).toContain(
    "This is a duplicate of #1: the reproductions of both issues have the same cause.",
  );
  expect(comment).toContain(`Both reproductions begin to show the bug with commit \`${bad.slice(0, 12)}\``);
  expect(stage.store.duplicateLinks(stage.github.repo)).toMatchObject([
    { first: 1, second: 2, kind: "proven", evidenced: [1, 2] },
  ]);
  for (const number of [1, 2]) stage.github.remove({ repo: stage.github.repo, number }, "deleted");
  expect((await triage()).policy).toEqual(["reproduction-verified"]);
});

test("a stored reproduction in which a secret was masked is compared with no other (D5, T8)", async () => {
  await using stage = await openBatchStage();
  const { repo } = stage.github;
  const { number } = await stage.github.createIssue({ title: "honest" });
  const check = {
    verdict: "still-broken",
    commit: "c".repeat(40),
    evidence: "verified: 2/2",
    runs: 2,
  } as const;
  await stage.ports.reproductions.save({
    schema: "afk-triage/reproduction@1",
    repo,
    number,
    title: "a URL with a password",
    script: "curl 'postgres://app:vJ8kQ2mZx7Lw@db.example.com/x'",
    expect: { exitCode: 1, outputContains: null },
    signature: null,
    checks: [{ ...check, at: "2026-05-01T00:00:00.000Z", runId: "20260501T000000Z", matchedRuns: 2 }],
  });
  const subject = { ref: { repo, number: 2 }, bad: "c".repeat(40), numbers: [number] };
  const unknown = { type: "unknown", reason: "" } as const;
  const range = { firstBad: unknown, firstFixed: unknown, flips: 0, notes: [] };
  const facts = { settings: { duplicates: { proofs: 1, proofMs: 1 } }, ports: { ...stage.ports } };
  const nowhere = { signal } as never;
  expect(await proveDuplicates({ ...subject, range }, {} as never, nowhere, facts as never)).toEqual([]);
});

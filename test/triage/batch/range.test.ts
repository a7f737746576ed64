import { readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { describe, expect, test, vi } from "vitest";
import { type BatchChange, type BatchStage, openBatchStage } from "../../support/batch/batch-stage.ts";
import { commitWidget } from "../../support/batch/commit-widget.ts";
import type { IssueSummary } from "../../../src/triage/index.ts";
import { connect, startCoderStandIn } from "../../support/coder/index.ts";

// The tests run real batches, on a machine that may be busy.
vi.setConfig({ testTimeout: 400_000 });

const { signal } = new AbortController();
const BROKEN = "export const first = (list) => list[0].name;\n";
const FIXED = "export const first = (list) => list[0]?.name;\n";
const SEARCHING = {
  settings: { reproduction: { place: "fresh" as const, runs: 2, timeoutMs: 20_000, rangeMs: 60_000 } },
};

async function triaged(
  stage: BatchStage,
  body: string,
  title = "honest",
  ports: BatchChange["ports"] = {},
): Promise<{
  policy: readonly string[];
  comment: string;
  artifacts: string[];
  evidence: IssueSummary["evidence"];
}> {
  await stage.github.createIssue({ title, body, labels: ["needs-triage"] });
  const { issues } = await stage.run({ ...SEARCHING, ports });
  const comments = await stage.github.reader.comments({ repo: stage.github.repo, number: 1 }, signal);
  const artifacts = await readdir(dirname(issues[0]?.artifacts.outcome ?? ""));
  const { policy = [], evidence = null } = issues[0] ?? {};
  return { policy, comment: comments.at(-1)?.body ?? "", artifacts, evidence };
}

describe("the range of a bug in a batch", () => {
  test.concurrent("the comment names first bad version and commit when a bug is verified, and each run is progress (V4, T13)", async () => {
    await using stage = await openBatchStage();
    await commitWidget(stage, FIXED, "one", "v1.0.0");
    const bad = await commitWidget(stage, BROKEN, "two");
    await commitWidget(stage, BROKEN, "three", "v1.1.0");
    await commitWidget(stage, BROKEN, "four");
    const { policy, comment } = await triaged(stage, "It throws.");
    expect(policy).toEqual(["reproduction-verified"]);
    expect(comment).toContain(`First bad: 1.1.0 (commit \`${bad.slice(0, 12)}\`).`);
    expect(comment).toContain("First fixed: no version or commit yet.");
    const told = stage.events.flatMap((event) => (event.type === "phase" ? [event.detail ?? ""] : []));
    expect(told.join("\n")).toMatch(
      new RegExp(`^range search: run \\d+, on commit ${bad.slice(0, 10)}$`, "m"),
    );
    expect(told).toContain("its regression test");
  });

  test.concurrent("the range is searched in the second Coder workspace of a Coder deployment (V4)", async () => {
    await using stage = await openBatchStage();
    await using standIn = await startCoderStandIn();
    await commitWidget(stage, FIXED, "one", "v1.0.0");
    await commitWidget(stage, BROKEN, "two", "v1.1.0");
    const { policy, comment, evidence } = await triaged(stage, "It throws.", "honest", {
      provider: connect(standIn),
    });
    expect(policy).toEqual(["reproduction-verified"]);
    expect(evidence).toMatchObject({ firstBad: "1.1.0", firstFixed: "not yet" });
    expect(comment).toContain("First bad: 1.1.0");
    expect(standIn.liveNames()).toEqual([]);
  });

  test.concurrent("a bug that only the reported version has goes to a maintainer, with the fixing commit (V5)", async () => {
    await using stage = await openBatchStage();
    await commitWidget(stage, BROKEN, "one", "v1.0.0");
    const fix = await commitWidget(stage, FIXED, "the fix");
    await commitWidget(stage, FIXED, "later");
    const { policy, comment } = await triaged(stage, "It throws.\n\nVersion: 1.0.0");
    expect(policy).toEqual(["already-fixed"]);
    expect(comment).toContain("The problem shows in version `1.0.0` (2 of 2 runs");
    expect(comment).toContain(
      "Evidence on that version: `verified: 2 of 2 runs, 0 of 4 control runs show it too,",
    );
    expect(comment).toMatch(/reproduced=2\/2.*evidence=verified:2\/2:0\/4:fresh/);
    expect(comment).toContain("The fix is not released yet.");
    expect(comment).toContain(`First fixed: commit \`${fix.slice(0, 12)}\`.`);
    const lookup = await stage.github.reader.issue({ repo: stage.github.repo, number: 1 }, signal);
    expect(lookup).toMatchObject({ issue: { state: "open" } });
    expect(lookup.type === "found" && lookup.issue.labels).toContain("ready-for-human");
  });

  test.concurrent("the regression test fails with the bug, passes with the fix and is in the comment, the artifacts and the summary (V6, V7)", async () => {
    await using stage = await openBatchStage();
    const cwd = join(stage.directory, "product");
    await writeFile(join(cwd, "package.json"), '{"private":true,"type":"module"}');
    await execa("git", ["add", "package.json"], { cwd });
    await commitWidget(stage, BROKEN, "one", "v1.0.0");
    await commitWidget(stage, FIXED, "the fix");
    const { comment, artifacts, evidence } = await triaged(stage, "Version: 1.0.0");
    expect(comment).toContain(
      "Regression test for node:test: it fails on this commit because of the bug, and passes on the commit that fixed it.",
    );
    expect(comment).toContain('import { test } from "node:test";');
    expect(artifacts).toContain("regression-test.mjs");
    expect(evidence).toMatchObject({
      verdict: "verified",
      runs: "2/2",
      firstBad: "1.0.0 or earlier",
      firstFixed: expect.stringMatching(/^[0-9a-f]{12}$/),
      test: "node:test, fails before, passes after",
    });
  });

  test.concurrent("the comment names the release that has the fix (V5)", async () => {
    await using stage = await openBatchStage();
    await commitWidget(stage, BROKEN, "one", "v1.0.0");
    await commitWidget(stage, FIXED, "the fix", "v1.0.1");
    const { comment } = await triaged(stage, "Since version 1.0.0 it throws.");
    expect(comment).toContain("Version `1.0.1` has the fix.");
  });

  test.concurrent("a script that only reads the version does not prove that the bug was fixed (V2, V5)", async () => {
    await using stage = await openBatchStage();
    const cwd = join(stage.directory, "product");
    await writeFile(join(cwd, "package.json"), '{"version":"1.0.0"}');
    await execa("git", ["add", "package.json"], { cwd });
    await commitWidget(stage, FIXED, "one", "v1.0.0");
    await writeFile(join(cwd, "package.json"), '{"version":"1.0.1"}');
    await commitWidget(stage, FIXED, "two", "v1.0.1");
    const { policy } = await triaged(stage, "Version: 1.0.0", "reproducing reading");
    expect(policy).toContain("reproduction-not-verified");
    expect(stage.warnings()).toEqual([]);
  });

  test.concurrent("without a version in the report, the bug is not verified, as without the search (V5)", async () => {
    await using stage = await openBatchStage();
    await commitWidget(stage, BROKEN, "one", "v1.0.0");
    await commitWidget(stage, FIXED, "the fix", "v1.0.1");
    expect((await triaged(stage, "It throws.")).policy).toContain("reproduction-not-verified");
  });
});

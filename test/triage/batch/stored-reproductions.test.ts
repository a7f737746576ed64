import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import {
  type BatchSettings,
  type StoredReproduction,
  verifyStored,
  type VerifiedIssue,
} from "../../../src/triage/index.ts";
import { type BatchStage, nothingLeft, openBatchStage } from "../../support/batch/batch-stage.ts";
import { commitWidget } from "../../support/batch/commit-widget.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const never = new AbortController().signal;
const BROKEN = "export const first = (list) => list[0].name;\n";
const FIXED = "export const first = (list) => list[0]?.name;\n";

const SCRIPT = "#!/bin/sh\nnode -e \"import('./widget.mjs').then(({ first }) => first([]))\"\n";

async function open(stage: BatchStage, ...titles: string[]): Promise<void> {
  for (const title of titles) await stage.github.createIssue({ title, labels: ["needs-triage"] });
}

async function comment(stage: BatchStage, number: number): Promise<string> {
  const comments = await stage.github.reader.comments({ repo: stage.github.repo, number }, never);
  return comments.at(-1)?.body ?? "";
}

async function stored(stage: BatchStage, number: number): Promise<StoredReproduction> {
  const found = await stage.ports.reproductions.read({ repo: stage.github.repo, number });
  if (found === null) throw new Error(`issue ${number} has no stored reproduction`);
  return found;
}

/** Stores a reproduction as a Triage Run that verified it would, and returns it as it is read back. */
async function storedWith(stage: BatchStage, script: string): Promise<StoredReproduction> {
  const at = "2026-05-01T00:00:00.000Z";
  const seen = {
    at,
    runId: "20260501T000000Z",
    commit: null,
    matchedRuns: 2,
    runs: 2,
    evidence: "verified: 2 of 2 runs",
  };
  await stage.ports.reproductions.save({
    schema: "afk-triage/reproduction@1",
    repo: stage.github.repo,
    number: 1,
    title: "honest",
    script,
    expect: { exitCode: 1, outputContains: "TypeError" },
    signature: null,
    checks: [{ ...seen, verdict: "still-broken" }],
  });
  return stored(stage, 1);
}

async function verify(
  stage: BatchStage,
  one: StoredReproduction,
  checkout: Partial<BatchSettings["checkout"]> = {},
  stop: AbortSignal = never,
): Promise<VerifiedIssue> {
  const { repo, reader } = stage.github;
  const repository = await reader.repository(repo, never);
  return verifyStored(one, {
    runId: "20260501T000000Z",
    settings: {
      checkout: {
        url: join(stage.directory, "product"),
        ref: null,
        strategy: "clone",
        setup: [],
        ...checkout,
      },
      reproduction: { place: "fresh", runs: 2, timeoutMs: 20_000, rangeMs: null },
      workspacePrefix: null,
      runDeadlineMs: 60_000,
      sessionLogBytes: 256 * 1024 ** 2,
    },
    repositories: new Map([[repo, repository]]),
    ports: stage.ports,
    stop,
  });
}

describe("verified reproductions", () => {
  test.concurrent("a verification that a signal stops is stopped, not failed, and leaves no Coder workspace", async () => {
    await using stage = await openBatchStage();
    await commitWidget(stage, BROKEN, "the head");
    const one = await storedWith(stage, "#!/bin/sh\nsleep 60\n");
    const stopping = new AbortController();
    const verifying = verify(stage, one, {}, stopping.signal);
    await vi.waitUntil(async () => (await stage.left()).workspaces.length > 0, { timeout: 60_000 });
    stopping.abort(new Error("received SIGINT"));
    expect(await verifying).toMatchObject({ verdict: "stopped", before: "still-broken", error: null });
    expect(await stage.left()).toEqual(nothingLeft);
  });

  test.concurrent("a verified reproduction is stored together with its commit and a screenshot (T8)", async () => {
    await using stage = await openBatchStage();
    const head = await commitWidget(stage, BROKEN, "the head");
    await open(stage, "honest");
    const { issues } = await stage.run();
    expect(issues[0]).toMatchObject({ status: "applied", policy: ["reproduction-verified"] });
    expect(await stored(stage, 1)).toMatchObject({
      repo: stage.github.repo,
      number: 1,
      title: "honest",
      script: expect.stringContaining("widget") as string,
      expect: { exitCode: 1, outputContains: "TypeError" },
      signature: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      checks: [{ verdict: "still-broken", matchedRuns: 2, runs: 2, commit: head }],
    });
    expect(await comment(stage, 1)).toContain(`Commit: \`${head.slice(0, 12)}\``);
    const picture = await readFile(issues[0]?.artifacts.screenshot ?? "");
    expect(picture.subarray(1, 4).toString()).toBe("PNG");
  });

  test.concurrent("a Triage Agent that crashed leaves a screenshot of its last screen", async () => {
    await using stage = await openBatchStage();
    await open(stage, "crashing", "proposing needs-info");
    const { issues } = await stage.run();
    expect(issues.map(({ status }) => status)).toEqual(["failed", "applied"]);
    const picture = await readFile(issues[0]?.artifacts.screenshot ?? "");
    expect(picture.subarray(1, 4).toString()).toBe("PNG");
    expect(issues[1]?.artifacts.screenshot).toBeNull();
  });

  test.concurrent("the comment names another open issue that fails in the same way, and nothing is closed", async () => {
    await using stage = await openBatchStage();
    await open(stage, "honest", "honest", "honest");
    await stage.github.setState({ repo: stage.github.repo, number: 3 }, "maintainer", "closed");
    await stage.run({ settings: { parallelism: 1 } });
    expect(await comment(stage, 1)).not.toContain("fail in the same way");
    expect(await comment(stage, 2)).toContain("The stored reproductions of #1 fail in the same way");
    const lookup = await stage.github.reader.issue({ repo: stage.github.repo, number: 2 }, never);
    expect(lookup).toMatchObject({ issue: { state: "open" } });
  });
});

describe("stored reproductions", () => {
  test.concurrent("a stored reproduction that runs again without a Triage Agent is still broken, then fixed, and keeps the history (T8)", async () => {
    await using stage = await openBatchStage();
    await open(stage, "honest");
    await stage.run();
    expect(await verify(stage, await stored(stage, 1))).toMatchObject({
      verdict: "still-broken",
      matchedRuns: 2,
      before: "still-broken",
      error: null,
    });
    const fix = await commitWidget(stage, FIXED, "the fix");
    const fixed = await verify(stage, await stored(stage, 1));
    expect(fixed).toMatchObject({ verdict: "fixed", matchedRuns: 0, runs: 2, commit: fix });
    expect(await readFile(fixed.recording ?? "", "utf8")).toContain('"version":2');
    expect((await stored(stage, 1)).checks.map(({ verdict }) => verdict)).toEqual([
      "still-broken",
      "still-broken",
      "fixed",
    ]);
    expect(await stage.left()).toEqual(nothingLeft);
  });

  test.concurrent("a stored reproduction that fails in another way, or because a tool or the network is missing, does not count as fixed (T8, V3)", async () => {
    await using stage = await openBatchStage();
    const one = await storedWith(stage, SCRIPT);
    for (const [line, cause] of [
      ["no-such-tool --check", "a program is not installed"],
      ["echo renamed; exit 3", "fails in a different way than the bug: it ended with exit code 3"],
      ["echo 'connect ECONNREFUSED 127.0.0.1:1'; exit 1", "the network cannot be reached"],
      // The name was judged by the issue's text, which is not stored, before the reproduction was.
      [`node -e "import('./widget.mjs').then((m) => m.renamed())"`, "the claim shows whatever the product"],
    ]) {
      const verified = await verify(stage, { ...one, script: `#!/bin/sh\n${line}\n` });
      expect(verified).toMatchObject({ verdict: "impossible", error: { code: "REPRODUCTION_UNPROVEN" } });
      expect(verified.error?.message).toContain(cause);
    }
    expect((await stored(stage, 1)).checks.map(({ verdict }) => verdict)).toEqual(["still-broken"]);
  });

  test("that holds what looks like a secret is stored masked, and is not run again as another script (T8, V1)", async () => {
    await using stage = await openBatchStage();
    const script = "#!/bin/sh\ncurl -s 'postgres://app:vJ8kQ2mZx7Lw@db.example.com/x'\n";
    const kept = await storedWith(stage, script);
    expect(kept.script).not.toBe(script);
    expect(await verify(stage, kept)).toMatchObject({
      verdict: "impossible",
      runs: 0,
      error: { code: "REPRODUCTION_UNPROVEN", message: expect.stringContaining("masked") as string },
    });
    expect((await stored(stage, 1)).checks).toHaveLength(1);
  });

  test.concurrent("the verification reports a locked issue instead of waiting, and has no verdict when the reproduction cannot run (T3)", async () => {
    await using stage = await openBatchStage();
    const one = await storedWith(stage, SCRIPT);
    expect(await verify(stage, one, { ref: "no-such-ref" })).toMatchObject({
      verdict: "impossible",
      error: { code: "VERIFICATION_IMPOSSIBLE" },
    });
    const lease = {
      runId: "20260501T000000Z",
      issueKey: `${stage.github.repo}#1`,
      parent: stage.ports.parent,
    };
    const held = await stage.provider.create({ name: "widgets-triage-1", lease }, never);
    if (held.type === "locked") throw new Error("already locked");
    expect(await verify(stage, one)).toMatchObject({ verdict: "locked", error: null });
    await stage.provider.destroy(held.workspace, never);
    expect((await stored(stage, 1)).checks).toHaveLength(1);
    expect(await stage.left()).toEqual(nothingLeft);
  });
});

import { expect, test, vi } from "vitest";
import type { Outcome } from "../../../src/triage/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { forbiddenAgent, proposingAgent } from "../../support/batch/in-process-agent.ts";
import { startEmulatedGithub } from "../../support/github/emulated-github.ts";
import { worldPeople } from "../../support/github/github-world.ts";

// The tests run several real batches at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const { reporter, maintainer } = worldPeople;
const LIMIT = 8;
const MINUTE_MS = 60_000;

/**
 * Opens a stage with one issue of the emulated GitHub, and counts each batch's requests about it; 304s count like any other
 * answer.
 */
async function openCounted(issue: { labels: string[]; comments: string[] }) {
  const stage = await openBatchStage();
  const github = await startEmulatedGithub();
  const ref = await github.createIssue({ title: "it breaks", labels: issue.labels });
  for (const comment of issue.comments) await github.comment(ref, maintainer, comment);
  const asked = (): string[] =>
    github.proxy.requests
      .filter(({ path }) => new RegExp(`/issues/${ref.number}(?:/|$|\\?)`).test(path))
      .map(({ method, path }) => `${method} ${path.replace(/^.*?\/issues\/\d+/, "").replace(/\?.*/, "")}`);
  const batch = async (
    proposal: Partial<Outcome> | "nothing",
  ): Promise<{ line: string; requests: string[] }> => {
    const before = asked().length;
    const triageAgent = proposal === "nothing" ? forbiddenAgent : proposingAgent(proposal);
    const ports = { reader: github.reader, writer: github.writer, triageAgent };
    const { issues } = await stage.run({ settings: { repos: [github.repo] }, ports });
    const line = issues.map(({ status, outcome, reason }) => `${status} ${outcome ?? reason}`).join();
    return { line, requests: asked().slice(before) };
  };
  return {
    github,
    ref,
    batch,
    advance: stage.advance,
    [Symbol.asyncDispose]: async () => {
      await github[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
    },
  };
}

const asking: Partial<Outcome> = { questions: ["Which version is it?"] };
const declining: Partial<Outcome> = {
  outcome: "wontfix",
  wontfix: { reason: "documented", outOfScope: null },
};
const handing: Partial<Outcome> = { outcome: "ready-for-human" };

function check({ line, requests }: { line: string; requests: string[] }, expected: string): void {
  expect(line).toBe(expected);
  expect({ over: requests.length > LIMIT ? requests : [] }).toEqual({ over: [] });
}

test.concurrent("each round of an issue with comments costs at most 8 requests, including 304s (P13)", async () => {
  await using counted = await openCounted({
    labels: ["needs-triage"],
    comments: ["Same here.", "And here."],
  });
  check(await counted.batch(asking), "applied needs-info");
  counted.advance(5 * MINUTE_MS);
  await counted.github.comment(counted.ref, reporter, "It is version 2.");
  check(await counted.batch({ ...asking, questions: ["Which system?"] }), "applied needs-info");
  await counted.github.comment(counted.ref, reporter, "It is Linux.");
  check(await counted.batch(declining), "applied wontfix");
});

test.concurrent("closing an issue with comments costs at most 8 requests (P13)", async () => {
  await using counted = await openCounted({ labels: ["needs-triage"], comments: ["Same here."] });
  check(await counted.batch(declining), "applied wontfix");
  const lookup = await counted.github.reader.issue(counted.ref, AbortSignal.timeout(10_000));
  expect(lookup).toMatchObject({
    issue: { state: "closed", labels: expect.arrayContaining(["bug", "wontfix"]) },
  });
});

test.concurrent("an issue that stays in triage and is triaged again after a comment costs at most 8 requests each time (P13)", async () => {
  await using counted = await openCounted({ labels: ["needs-triage"], comments: ["Same here."] });
  check(await counted.batch({ outcome: "needs-triage" }), "applied needs-triage");
  await counted.github.comment(counted.ref, maintainer, "Try again, please.");
  check(await counted.batch(handing), "applied ready-for-human");
});

test.concurrent("the repair of a publication that was cut off costs at most 8 requests (P13)", async () => {
  await using counted = await openCounted({
    labels: ["needs-triage", "enhancement"],
    comments: ["Same here."],
  });
  const { proxy } = counted.github;
  let writes = 0;
  proxy.onRequest = ({ method }) =>
    method !== "GET" && (writes += 1) > 1 ? { type: "answer", status: 403, body: "{}" } : null;
  expect((await counted.batch(declining)).line).toMatch(/^failed /);
  proxy.onRequest = () => null;
  check(await counted.batch("nothing"), "applied wontfix");
});

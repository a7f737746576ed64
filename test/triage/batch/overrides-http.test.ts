import { expect, test, vi } from "vitest";
import { openTrustLedger } from "../../../src/trust/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { forbiddenAgent, proposingAgent } from "../../support/batch/in-process-agent.ts";
import { startEmulatedGithub } from "../../support/github/emulated-github.ts";

// The tests run real batches over HTTP, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const DAY_MS = 24 * 3_600_000;
const declining = proposingAgent({
  outcome: "wontfix",
  confidence: "high",
  established: ["It is documented."],
  wontfix: { reason: "It is meant to be so.", outOfScope: null },
});

/** Opens a stage with an issue of the emulated GitHub that a batch closed with one comment. */
async function openClosedStage() {
  const stage = await openBatchStage();
  const github = await startEmulatedGithub();
  // The emulator does not support reactions.
  const { respond } = github.proxy;
  github.proxy.respond = (request) =>
    request.path.includes("/reactions") ? Promise.resolve({ status: 200, body: "[]" }) : respond(request);
  const ref = await github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const triage = (triageAgent = forbiddenAgent) =>
    stage.run({
      settings: { repos: [github.repo] },
      ports: { reader: github.reader, writer: github.writer, triageAgent },
    });
  await triage(declining);
  return {
    github,
    ref,
    advance: stage.advance,
    observe: async () => {
      await triage();
      const facts = openTrustLedger(stage.store).readable(null).facts;
      return facts.filter(({ type }) => type === "overridden" || type === "stood");
    },
    [Symbol.asyncDispose]: async () => {
      await github[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
    },
  };
}

test.concurrent("a batch learns from GitHub's REST API that a person reopened an issue that we had closed, and who it was (E3)", async () => {
  await using stage = await openClosedStage();
  // The emulator compares times as text: an update in the same second as `since`, but with a fraction of a second, is not listed.
  const second = Math.floor(Date.now() / 1_000);
  await vi.waitFor(() => expect(Math.floor(Date.now() / 1_000)).toBeGreaterThan(second), 5_000);
  await stage.github.setState(stage.ref, stage.github.repo.split("/")[0] ?? "", "open");
  stage.advance(60_000);
  expect(await stage.observe()).toMatchObject([
    { type: "overridden", detail: { how: "reopened", by: { login: "octo", permission: "admin" } } },
  ]);
});

test.concurrent("a batch learns from GitHub's REST API that a person hid our comment, within the requests of one look (E3)", async () => {
  await using stage = await openClosedStage();
  const { proxy } = stage.github;
  proxy.onAnswer = (request, answer) => {
    if (request.method !== "GET" || !/\/issues\/\d+\/comments/.test(request.path))
      return Promise.resolve(answer);
    // GitHub has sent this field since 2026; the emulator cannot hide comments.
    const comments = JSON.parse(answer.body) as object[];
    const body = JSON.stringify(
      comments.map((comment) => Object.assign(comment, { minimized: { reason: "off-topic" } })),
    );
    return Promise.resolve({ ...answer, body });
  };
  stage.advance(8 * DAY_MS);
  const before = proxy.requests.length;
  expect(await stage.observe()).toMatchObject([
    {
      type: "overridden",
      detail: { how: "comment-minimised", source: expect.stringContaining("/issues/1#") },
    },
  ]);
  const looks = proxy.requests
    .slice(before)
    .filter(({ path }) => /\/issues\/1\/(?:timeline|comments|reactions)/.test(path));
  expect(looks.length).toBeLessThanOrEqual(4);
});

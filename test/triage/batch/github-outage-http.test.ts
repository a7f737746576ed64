import { expect, test, vi } from "vitest";
import type { BatchPorts } from "../../../src/triage/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, forbiddenAgent, proposingAgent } from "../../support/batch/in-process-agent.ts";
import { startEmulatedGithub } from "../../support/github/emulated-github.ts";
import { worldPeople } from "../../support/github/github-world.ts";
import type { Fault } from "../../support/github/recording-proxy.ts";

// The tests run real batches over HTTP, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const { maintainer } = worldPeople;
const declining = proposingAgent({
  outcome: "wontfix",
  confidence: "high",
  wontfix: { reason: "documented", outOfScope: null },
});

/**
 * Opens a stage over the REST API of an emulated GitHub, which answers a write with `fault` until the maintainer has decided. In
 * `runWith` a maintainer decides as soon as the write has failed.
 */
async function httpStage(fault: Fault, isStruck: (method: string, path: string) => boolean) {
  const stage = await openBatchStage();
  const github = await startEmulatedGithub();
  const ref = await github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const seen = () => github.reader.issue(ref, new AbortController().signal);
  let decided: Promise<unknown> | null = null;
  let isDecided = false;
  const decide = async (): Promise<void> => {
    const before = await seen();
    const labels = before.type === "found" ? before.issue.labels : [];
    await github.label(ref, maintainer, "ready-for-human");
    for (const label of labels.filter((name) => name !== "bug")) await github.unlabel(ref, maintainer, label);
    isDecided = true;
  };
  const clock = {
    ...stage.ports.clock,
    sleep: async (_: number, signal?: AbortSignal) => {
      await decided;
      await stage.ports.clock.sleep(0, signal);
    },
  };
  return {
    github,
    ref,
    /** From now on the write fails. */
    strike: () => {
      github.proxy.onRequest = ({ method, path }) => {
        if (isDecided || !isStruck(method, path)) return null;
        decided ??= decide();
        return fault;
      };
    },
    runWith: (ports: Partial<BatchPorts>) =>
      stage.run({
        settings: { repos: [github.repo] },
        ports: { reader: github.reader, writer: github.writer, clock, ...ports },
      }),
    seen,
    [Symbol.asyncDispose]: async () => {
      await github[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
    },
  };
}

const faults: readonly (readonly [string, Fault])[] = [
  ["is unavailable", { type: "answer", status: 503 }],
  ["asks for a wait", { type: "answer", status: 429, headers: { "retry-after": "1" } }],
];
const isLabelling = (method: string, path: string): boolean =>
  method === "POST" && /\/issues\/\d+\/labels$/.test(path);
const isClosing = (method: string, path: string): boolean =>
  method === "PATCH" && /\/issues\/\d+$/.test(path);

test.concurrent.each(
  faults.flatMap(([when, fault]) => [
    [when, "labels", fault, isLabelling] as const,
    [when, "a close", fault, isClosing] as const,
  ]),
)(
  "while GitHub's REST API %s, %s after our comment wait for another look at the issue, and a maintainer's decision stands (policy 8, S13)",
  async (_, what, fault, isStruck) => {
    const stage = await httpStage(fault, isStruck);
    await using _stage = stage;
    stage.strike();
    const { issues } = await stage.runWith({ triageAgent: what === "labels" ? askingAgent() : declining });
    expect(issues).toMatchObject([{ status: "requeued", reason: "issue-changed" }]);
    const labels = what === "labels" ? ["ready-for-human"] : ["bug", "ready-for-human"];
    expect(await stage.seen()).toMatchObject({ issue: { state: "open", labels } });
    expect(await stage.github.reader.comments(stage.ref, new AbortController().signal)).toHaveLength(1);
  },
);

test.concurrent.each(faults)(
  "while GitHub's REST API %s, a repair waits for another look at the issue, and a maintainer's decision stands (policy 8, S13)",
  async (_, fault) => {
    const stage = await httpStage(fault, isLabelling);
    await using _stage = stage;
    stage.github.proxy.onRequest = ({ method, path }) =>
      isLabelling(method, path) ? { type: "answer", status: 422 } : null;
    expect((await stage.runWith({ triageAgent: askingAgent() })).issues).toMatchObject([
      { status: "failed" },
    ]);
    stage.strike();
    const { issues } = await stage.runWith({ triageAgent: forbiddenAgent });
    expect(issues).toMatchObject([{ status: "requeued", reason: "issue-changed" }]);
    expect(await stage.seen()).toMatchObject({ issue: { state: "open", labels: ["ready-for-human"] } });
  },
);

test.concurrent.each([[403], [404]])(
  "a token that may comment but not label (%i) is an error, and the summary names the comment that stands (T13)",
  async (status) => {
    const stage = await httpStage({ type: "answer", status }, isLabelling);
    await using _stage = stage;
    stage.github.proxy.onRequest = ({ method, path }) =>
      isLabelling(method, path) ? { type: "answer", status } : null;
    const { issues } = await stage.runWith({ triageAgent: askingAgent() });
    const [comment] = await stage.github.reader.comments(stage.ref, new AbortController().signal);
    expect(issues).toMatchObject([
      {
        status: "failed",
        reason: "github-forbidden",
        error: { code: "GITHUB_FORBIDDEN" },
        commentUrl: comment?.url,
      },
    ]);
  },
);

import { expect, test, vi } from "vitest";
import { auditLogPath, readAuditLog, undoBatch } from "../../../src/triage/index.ts";
import { openTrustLedger } from "../../../src/trust/index.ts";
import { type BatchChange, defaultSettings, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, forbiddenAgent, proposingAgent } from "../../support/batch/in-process-agent.ts";
import { startEmulatedGithub } from "../../support/github/emulated-github.ts";
import type { SuggestionsMode } from "../../support/github/emulated-suggestions.ts";
import { worldPeople } from "../../support/github/github-world.ts";

// The tests run real batches over HTTP, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const { maintainer } = worldPeople;
const { signal } = new AbortController();

/** Opens a batch stage over the emulated GitHub, with one issue that waits for triage, at autonomy `suggest`. */
async function openSuggestionStage(mode: SuggestionsMode) {
  const stage = await openBatchStage();
  const github = await startEmulatedGithub();
  github.suggested.mode = mode;
  const ref = await github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const autonomy = {
    ...defaultSettings.autonomy,
    "needs-info": "suggest",
    "ready-for-human": "suggest",
    close: "suggest",
  } as const;
  return {
    stage,
    github,
    ref,
    observed: () =>
      openTrustLedger(stage.store)
        .readable(null)
        .facts.flatMap((fact) =>
          fact.type === "endorsed" || fact.type === "overridden" ? [`${fact.type} ${fact.detail.how}`] : [],
        ),
    triage: (change: BatchChange = {}) =>
      stage.run({
        settings: { repos: [github.repo], autonomy, suggestsNatively: true, ...change.settings },
        ports: {
          reader: github.reader,
          writer: github.writer,
          suggestions: github.suggestions,
          triageAgent: askingAgent(),
          ...change.ports,
        },
      }),
    labels: async () => {
      const found = await github.reader.issue(ref, signal);
      return found.type === "found" ? found.issue.labels.toSorted() : [];
    },
    native: () =>
      github.proxy.requests.filter(
        ({ method, path, body }) =>
          path.includes("/suggestions") || (method === "POST" && body.includes('"suggest":true')),
      ),
    degradations: () => stage.warnings().filter((line) => line.includes("GitHub's own suggestions")),
    [Symbol.asyncDispose]: async () => {
      await github[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
    },
  };
}

test.concurrent("a proposal is also suggested natively after its comment, with a short rationale, and no label is set (E4)", async () => {
  await using it = await openSuggestionStage("on");
  const { issues } = await it.triage();
  expect(issues).toMatchObject([{ status: "applied", outcome: "needs-info" }]);
  expect(await it.labels()).toEqual(["needs-triage"]);
  const pending = it.github.suggested.of(it.ref);
  expect(pending.map(({ state, target_value }) => `${state} ${target_value}`)).toEqual([
    "pending bug",
    "pending needs-info",
  ]);
  for (const { rationale, confidence } of pending) {
    expect(rationale.length).toBeGreaterThan(0);
    expect(rationale.length).toBeLessThanOrEqual(280);
    expect(["LOW", "MEDIUM", "HIGH"]).toContain(confidence);
  }
  const writes = it.github.proxy.requests.filter(({ method }) => method !== "GET");
  expect(writes.map(({ path }) => path.replace(/^.*issues\/\d+/, ""))).toEqual(["/comments", "/labels"]);
  expect(it.degradations()).toEqual([]);
});

test.concurrent.each(["medium", "high"] as const)(
  "level apply sets the state label directly and not as a suggestion, so that %s confidence never leaves an issue without it (E4)",
  async (confidence) => {
    await using it = await openSuggestionStage("on");
    const handing = proposingAgent({ outcome: "ready-for-human", confidence });
    await it.triage({ settings: { autonomy: defaultSettings.autonomy }, ports: { triageAgent: handing } });
    const posted = it.github.proxy.requests.filter(
      ({ method, path }) => method === "POST" && path.endsWith("/labels"),
    );
    expect(posted.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { labels: expect.arrayContaining(["ready-for-human"]) as unknown },
    ]);
    expect(await it.labels()).toContain("ready-for-human");
    expect(it.native()).toEqual([]);
  },
);

test.concurrent.each([
  [403, 1],
  [404, 1],
  [422, 1],
  [500, 1],
  ["silent", 3],
  ["sets-labels", 2],
] as const)(
  "if GitHub's suggestions answer %s, the batch writes only the comment, warns once, and sends no more than %i suggestion requests a day (E4)",
  async (mode, requests) => {
    await using it = await openSuggestionStage(mode);
    const other = await it.github.createIssue({ title: "it breaks, too", labels: ["needs-triage"] });
    const { issues } = await it.triage();
    expect(issues).toMatchObject([{ status: "applied" }, { status: "applied" }]);
    expect(await it.labels()).toEqual(["needs-triage"]);
    for (const ref of [it.ref, other]) {
      const [comment] = await it.github.reader.comments(ref, signal);
      expect(comment?.body).toContain("**Proposed, not done:** the labels `bug` and `needs-info`.");
    }
    expect(it.native()).toHaveLength(requests);
    expect(it.degradations()).toHaveLength(1);
    // The next batch on the same day knows this from the home.
    await it.triage({ ports: { triageAgent: forbiddenAgent } });
    expect(it.native()).toHaveLength(requests);
    expect(it.degradations()).toHaveLength(1);
  },
);

test.concurrent("the batch sends no suggestion requests when native.suggestions is off (E4)", async () => {
  await using it = await openSuggestionStage("on");
  await it.triage({ settings: { suggestsNatively: false } });
  expect(it.native()).toEqual([]);
  expect(it.degradations()).toEqual([]);
});

test.concurrent("a proposal to close is not suggested natively, because approving a label says nothing about a close (E4)", async () => {
  await using it = await openSuggestionStage("on");
  const wontfix = { reason: "documented", outOfScope: null };
  const declining = proposingAgent({ outcome: "wontfix", confidence: "high", wontfix });
  expect((await it.triage({ ports: { triageAgent: declining } })).issues).toMatchObject([
    { status: "applied", outcome: "wontfix" },
  ]);
  expect(it.native()).toEqual([]);
});

test.concurrent("an approved suggestion is an observation, and finishes the proposal without a Triage Agent (E3, E4)", async () => {
  await using it = await openSuggestionStage("on");
  await it.triage();
  await it.github.suggested.resolve(it.ref, maintainer, "needs-info", "approved");
  const { issues } = await it.triage({ ports: { triageAgent: forbiddenAgent } });
  expect(issues).toMatchObject([{ status: "applied", reason: "proposal-accepted" }]);
  expect(await it.labels()).toEqual(["bug", "needs-info"]);
  expect(it.observed()).toEqual(["endorsed suggestion-approved"]);
  expect(it.native().some(({ path }) => path.endsWith("/approve"))).toBe(false);
});

test.concurrent("a dismissed suggestion is an observation that rejects the proposal; a suggestion of another account does not count (E3)", async () => {
  await using it = await openSuggestionStage("on");
  await it.triage();
  await it.github.suggested.add(it.ref, maintainer, "ready-for-agent");
  await it.github.suggested.resolve(it.ref, maintainer, "ready-for-agent", "dismissed");
  const waiting = await it.triage({ ports: { triageAgent: forbiddenAgent } });
  expect(waiting.issues).toMatchObject([{ status: "skipped", reason: "proposal-waits" }]);
  await it.github.suggested.resolve(it.ref, maintainer, "needs-info", "dismissed");
  const rejected = await it.triage({ ports: { triageAgent: forbiddenAgent } });
  expect(rejected.issues).toMatchObject([{ status: "skipped", reason: "proposal-rejected" }]);
  expect(it.observed()).toEqual(["overridden suggestion-dismissed"]);
  const asked = it.native().length;
  await it.triage({ ports: { triageAgent: forbiddenAgent } });
  expect(it.native()).toHaveLength(asked);
});

test.concurrent("undo dismisses our pending suggestions, and keeps those of others (E4, T10)", async () => {
  await using it = await openSuggestionStage("on");
  const { runId } = await it.triage();
  await it.github.suggested.add(it.ref, maintainer, "bug");
  const { runsDirectory, store, clock } = it.stage.ports;
  const [undone] = await undoBatch(
    { runId, issues: null, dryRun: false },
    {
      reader: it.github.reader,
      writer: it.github.writer,
      suggestions: it.github.suggestions,
      runsDirectory,
      store,
      clock,
      observe: () => undefined,
    },
    signal,
  );
  expect(undone).toMatchObject({ status: "undone" });
  const us = (await it.github.reader.viewer(signal)).id;
  const left = it.github.suggested.of(it.ref).filter(({ state }) => state === "pending");
  expect(left.map(({ target_value }) => target_value)).toEqual(["bug"]);
  expect(left.some(({ actor_id }) => actor_id === us)).toBe(false);
  expect(await it.github.reader.comments(it.ref, signal)).toEqual([]);
  const entries = await readAuditLog(auditLogPath(runsDirectory, runId));
  expect(JSON.stringify(entries)).toContain("dismiss-suggestion");
});

import { expect, test, vi } from "vitest";
import { openTrustLedger } from "../../../src/trust/index.ts";
import { undoBatch } from "../../../src/triage/index.ts";
import { type BatchChange, defaultSettings, openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent, forbiddenAgent } from "../../support/batch/in-process-agent.ts";
import { createFakeSuggestions, type SuggestionMode } from "../../support/github/fake-suggestions.ts";

// The tests run real batches, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const signal = new AbortController().signal;
const MAINTAINER = 4711;

/** Opens a stage with an issue about which a Triage Agent would ask its reporter, and where such outcomes are proposed. */
async function openSuggestionStage(mode: SuggestionMode = "on") {
  const stage = await openBatchStage();
  const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const viewer = await stage.github.reader.viewer(signal);
  const fake = createFakeSuggestions(() => Promise.resolve(viewer.id), mode);
  const ledger = openTrustLedger(stage.store);
  const triage = (change: BatchChange = {}) =>
    stage.run({
      ...change,
      settings: {
        suggestsNatively: true,
        autonomy: { ...defaultSettings.autonomy, "needs-info": "suggest" },
        ...change.settings,
      },
      ports: { triageAgent: askingAgent(), suggestions: fake.port, ...change.ports },
    });
  return Object.assign(stage, { ref, fake, ledger, viewer, triage });
}

/** A later batch, in which no Triage Agent may be started. */
const later: BatchChange = { ports: { triageAgent: forbiddenAgent } };

test("a proposal is also made as GitHub's own suggestions, once, and no label is set (E4)", async () => {
  await using stage = await openSuggestionStage();
  const { issues } = await stage.triage();
  expect(issues).toMatchObject([{ status: "applied", outcome: "needs-info" }]);
  const asked = () => stage.fake.all.map(({ target, state }) => [target, state]);
  const once = asked();
  expect(once).toContainEqual(["needs-info", "pending"]);
  const found = await stage.github.reader.issue(stage.ref, signal);
  expect(found).toMatchObject({ issue: { labels: ["needs-triage"] } });
  stage.advance(60_000);
  await stage.triage({ ...later, ports: { ...later.ports, suggestions: stage.fake.port } });
  expect(asked()).toEqual(once);
  expect(stage.warnings()).toEqual([]);
});

test("a parent that was killed between its comment and its suggestions leaves them to the next batch, which makes them once (E4)", async () => {
  await using stage = await openSuggestionStage();
  // Only the comment is published, as after a kill.
  await stage.triage({ settings: { suggestsNatively: false } });
  expect(stage.fake.all).toEqual([]);
  stage.advance(60_000);
  await stage.triage(later);
  await stage.triage(later);
  expect(stage.fake.all.filter(({ target }) => target === "needs-info")).toHaveLength(1);
  // After a kill between the suggestion and its record, a pending suggestion is not made again.
  const again = await openSuggestionStage();
  await using _again = again;
  await again.triage({ settings: { suggestsNatively: false } });
  const suggestion = { name: "needs-info", rationale: "", confidence: null } as const;
  await again.fake.port.suggestLabels(again.ref, [suggestion], signal);
  await again.triage(later);
  expect(again.fake.all.filter(({ target }) => target === "needs-info")).toHaveLength(1);
});

test.each([
  ["off", "has none", 1],
  ["failing", "no suggestion was added, and the next batch tries again", 2],
  ["silent", "GitHub took the suggestions and shows none", 3],
] as const)(
  "if suggestions are %s, the comment is published as without them, with one warning (E4)",
  async (mode, says, mostLists) => {
    await using stage = await openSuggestionStage(mode);
    const { issues } = await stage.triage();
    expect(issues).toMatchObject([{ status: "applied", outcome: "needs-info" }]);
    expect(await stage.github.reader.comments(stage.ref, signal)).toHaveLength(1);
    expect(stage.warnings()).toEqual([expect.stringContaining(says)]);
    stage.advance(60_000);
    await stage.triage(later);
    // A repository without suggestions is asked once a day.
    expect(stage.fake.calls.filter((call) => call === "list").length).toBeLessThanOrEqual(mostLists);
    expect(stage.fake.calls.filter((call) => call === "suggest").length).toBeLessThanOrEqual(1);
  },
);

test.each([
  ["dismissed", { type: "overridden", detail: { how: "suggestion-dismissed" } }],
  ["approved", { type: "endorsed", detail: { how: "suggestion-approved" } }],
] as const)("a suggestion that a maintainer %s is an observation (E3)", async (answer, expected) => {
  await using stage = await openSuggestionStage();
  await stage.triage();
  stage.advance(3_600_000);
  const now = new Date(stage.ports.clock.nowMs()).toISOString();
  for (const { id } of stage.fake.all) stage.fake.answered(id, answer, MAINTAINER, now);
  // On GitHub, an answer changes the issue's update time.
  await stage.github.editIssue(stage.ref, "maintainer", {});
  await stage.triage(later);
  const acts = stage.ledger
    .readable(null)
    .facts.filter(({ type }) => type === "overridden" || type === "endorsed");
  expect(acts).toMatchObject([expected]);
});

test("undo dismisses our pending suggestions, but not those of others (E4)", async () => {
  await using stage = await openSuggestionStage();
  const { runId } = await stage.triage();
  const foreign = { ...stage.fake.all[0], id: 99, actorId: MAINTAINER, target: "priority" };
  stage.fake.all.push(foreign as (typeof stage.fake.all)[number]);
  const { reader, writer } = stage.github;
  const ports = { reader, writer, suggestions: stage.fake.port, runsDirectory: stage.ports.runsDirectory };
  const undone = await undoBatch(
    { runId, issues: null, dryRun: false },
    { ...ports, store: stage.store, clock: stage.ports.clock, observe: () => undefined },
    signal,
  );
  expect(undone).toMatchObject([{ status: "undone" }]);
  expect(stage.fake.all.filter(({ state }) => state === "pending").map(({ id }) => id)).toEqual([99]);
  expect(await reader.comments(stage.ref, signal)).toEqual([]);
});

import { expect, test } from "vitest";
import { barAfterKey } from "../../src/board/page/batch/gantt-keys.ts";
import { timelineRevision } from "../../src/board/page/batch/timeline-revision.ts";
import type { RunRowDocument } from "../../src/board/index.ts";
import { planGantt } from "../../src/board/page/batch/gantt-plan.ts";
import { inertBlocks } from "../../src/board/source/inert-blocks.ts";
import { verificationDocument } from "../../src/board/source/verification-document.ts";
import { fakeSource, RUN_KEY, runRow } from "./fake-source.ts";

/** Returns a settled run that was selected at 0 and worked on between two times. */
function entry(number: number, fromMs: number, toMs: number): Parameters<typeof planGantt>[0][number] {
  return {
    run: runRow(number, { startedAtMs: 0, settledAtMs: toMs }),
    history: [
      { phase: "selected", atMs: 0 },
      { phase: "creating", atMs: fromMs },
      { phase: "triaging", atMs: fromMs + 1 },
      { phase: "settled", atMs: toMs },
    ],
  };
}

test("runs that follow each other share a slot, and the critical path ends with the run that ends last (B10)", () => {
  const plan = planGantt(
    [entry(1, 0, 10), entry(2, 0, 14), entry(3, 10, 12), entry(4, 14, 30), entry(5, 12, 20)],
    99,
  );
  expect(plan.bars.map(({ entry: { run }, slot }) => [run.number, slot])).toEqual([
    [1, 0],
    [2, 1],
    [3, 0],
    [5, 0],
    [4, 1],
  ]);
  expect([plan.slots, plan.fromMs, plan.toMs]).toEqual([2, 0, 30]);
  expect(plan.critical.map(({ entry: { run } }) => run.number)).toEqual([2, 4]);
  expect(plan.bars[0]?.phases).toEqual([
    { phase: "creating", fromMs: 0, toMs: 1 },
    { phase: "triaging", fromMs: 1, toMs: 10 },
  ]);
});

test("a time line is read again only after a new phase, an end, a change of the parent's state or a gap (B1, B10)", async () => {
  const batch = (await fakeSource().batch(RUN_KEY.runId)) ?? expect.unreachable("the batch is there");
  const revision = (change: Partial<RunRowDocument>, state: "alive" | "dead" = "alive", gaps = 0): string => {
    const parent = { ...batch.parent, state };
    return timelineRevision(RUN_KEY.runId, { ...batch, parent }, [runRow(7, change)], gaps);
  };
  const before = revision({});
  const others: Partial<RunRowDocument>[] = [{ surface: "idle" }, { displayStatus: "idle" }];
  expect(new Set(others.map((change) => revision(change)))).toEqual(new Set([before]));
  const changes = [
    revision({ phase: "verifying" }),
    revision({ settledAtMs: 9 }),
    revision({ parentLost: { lastSeenAtMs: 3, remedy: "reap" } }),
    revision({}, "dead"),
    revision({}, "alive", 1),
  ];
  expect(new Set([before, ...changes]).size).toBe(6);
  const elsewhere = timelineRevision("20260102T000000Z", undefined, [runRow(7)], 0);
  expect(elsewhere).toBe(timelineRevision("20260102T000000Z", undefined, [], 0));
});

test("arrow keys move along a slot, and to the bar that was in progress in the next slot, without wrapping (B10)", () => {
  const { bars } = planGantt(
    [entry(1, 0, 10), entry(2, 0, 14), entry(3, 10, 12), entry(4, 14, 30), entry(5, 12, 20)],
    99,
  );
  const [one = expect.unreachable("the plan has bars")] = bars;
  const path = [
    "ArrowRight",
    "ArrowDown",
    "ArrowRight",
    "ArrowUp",
    "Home",
    "ArrowUp",
    "ArrowLeft",
    "End",
    "a",
  ];
  let bar = one;
  const numbers = path.map((key) => {
    const next = barAfterKey(bars, bar, key);
    bar = next ?? bar;
    return next?.entry.run.number ?? null;
  });
  expect(numbers).toEqual([3, 2, 4, 5, 1, null, null, 4, null]);
});

test("a run in progress occupies its slot until the present time (B10)", () => {
  const live = { run: runRow(1, { startedAtMs: 5 }), history: [{ phase: "creating", atMs: 5 }] };
  expect(planGantt([live], 50).bars[0]).toMatchObject({ fromMs: 5, toMs: 50, isCritical: true });
});

test("Markdown becomes plain blocks: links and images keep their address as text, and HTML tags are removed (B10)", () => {
  const text =
    "# T\n\n> quoted [here](javascript:alert(1)) <img src=x onerror=y>\n\n- [x] done\n  - ![alt](https://a.test/p.png)\n\n<!-- marker --><script>alert(1)</script>\n\n```sh\nrm -rf /\n```\n";
  const blocks = inertBlocks(text);
  expect(
    blocks.map(({ kind, depth, spans }) => [kind, depth, spans.map((span) => span.text).join("")]),
  ).toEqual([
    ["heading", 0, "T"],
    ["paragraph", 1, "quoted here "],
    ["item", 0, "☑ done"],
    ["item", 1, "[image: alt]"],
    ["paragraph", 0, "alert(1)"],
    ["code", 0, "rm -rf /"],
  ]);
  expect(blocks[1]?.spans.find(({ url }) => url !== null)).toEqual({
    text: "here",
    styles: [],
    url: "javascript:alert(1)",
  });
  expect(inertBlocks("- ".repeat(5_000))).toEqual([]);
});

test("a range becomes spans of versions from the oldest to the newest (B10, V5)", () => {
  const at = (version: string): object => ({ version, commit: null });
  const spans = (firstBad: object, firstFixed: object): unknown =>
    verificationDocument(
      JSON.stringify({
        type: "already-fixed",
        runs: [],
        reproduction: { script: null, expect: null },
        fixed: { range: { firstBad, firstFixed, flips: 1, notes: [] } },
      }),
    )?.versions.map(({ state, from }) => `${state} ${from}`);
  expect(spans({ type: "exact", at: at("1.2.0") }, { type: "exact", at: at("2.0.0") })).toEqual([
    "works null",
    "broken 1.2.0",
    "fixed 2.0.0",
  ]);
  expect(
    spans(
      { type: "initial", at: at("0.1.0") },
      { type: "interval", after: at("1.0.0"), upTo: at("1.3.0"), untestable: "1.1 does not build." },
    ),
  ).toEqual(["broken 0.1.0", "untestable 1.0.0", "fixed 1.3.0"]);
  expect(spans({ type: "never" }, { type: "never" })).toEqual(["works null"]);
  expect(spans({ type: "unknown", reason: "x" }, { type: "exact", at: at("2.0.0") })).toEqual([
    "unknown null",
    "fixed 2.0.0",
  ]);
});

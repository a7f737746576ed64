import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type LifecycleEvent,
  transition,
  type TriageRunEvent,
  type TriageRunFacts,
} from "../../src/runs/index.ts";
import { runFacts } from "./owner-fixture.ts";

const SOURCE = join(import.meta.dirname, "../../src");

type OwnerEvent = Exclude<TriageRunEvent, LifecycleEvent>;

const nudge = { kind: "checks-failing", number: 9, signature: "A" } as const;

/** All lifecycle events: the complete sequence of one Triage Run, and the first events of others. */
const lives: readonly (readonly LifecycleEvent[])[] = [
  [
    { type: "phase-entered", phase: "creating", atMs: 1 },
    { type: "workspace-requested", name: "r-triage-7" },
    { type: "workspace-created", id: "w1" },
    { type: "workspace-ready" },
    { type: "session-opened", sessionId: "01S" },
    { type: "spawn-completed", isSignalCapable: true, atMs: 2 },
    { type: "activity-signalled", activity: "active", atMs: 3 },
    { type: "nudge-refused", nudge, reason: "not-ready", atMs: 1 },
    { type: "nudge-sent", nudge, atMs: 1 },
    { type: "pull-requests-observed", pullRequests: [], atMs: 4 },
    { type: "probed", runtime: "dead", process: "dead", atMs: 900_000 },
    { type: "triage-agent-exited", exitCode: 0, atMs: 900_001 },
    { type: "terminated", atMs: 900_002 },
    { type: "workspace-deleting" },
    { type: "workspace-deleted" },
    {
      type: "result-reported",
      result: { category: null, commentUrl: null, usage: { inputTokens: 0, outputTokens: 0, usd: 0 } },
    },
    { type: "run-settled", end: { status: "skipped", reason: "killed" }, atMs: 900_003 },
  ],
  [
    { type: "workspace-requested", name: "r-triage-7" },
    { type: "workspace-stranded", id: null },
  ],
  [{ type: "workspace-requested", name: "r-triage-7" }, { type: "workspace-refused" }],
  [
    { type: "workspace-requested", name: "r-triage-7" },
    { type: "workspace-created", id: "w1" },
    { type: "workspace-kept" },
  ],
];

const lifecycleTypes = {
  "phase-entered": true,
  "run-settled": true,
  "workspace-requested": true,
  "workspace-created": true,
  "workspace-ready": true,
  "workspace-refused": true,
  "workspace-deleting": true,
  "workspace-deleted": true,
  "workspace-kept": true,
  "workspace-stranded": true,
  "session-opened": true,
  "result-reported": true,
  "spawn-completed": true,
  "activity-signalled": true,
  "triage-agent-exited": true,
  probed: true,
  terminated: true,
  "pull-requests-observed": true,
  "nudge-sent": true,
  "nudge-refused": true,
} as const satisfies Record<LifecycleEvent["type"], true>;

const ownerEvents: { [Type in OwnerEvent["type"]]: OwnerEvent & { type: Type } } = {
  "prompt-admitted": { type: "prompt-admitted", atMs: 10 },
  "report-observed": { type: "report-observed", atMs: 11 },
  "final-report-observed": { type: "final-report-observed", atMs: 12 },
  "runner-judged": { type: "runner-judged", verdict: "silent-but-alive" },
  "observation-window-ended": { type: "observation-window-ended", atMs: 13 },
  "prompt-settled": { type: "prompt-settled", evidence: "turn-outcome" },
};

const ownersPart = ({ runState, runnerVerdict }: TriageRunFacts) => ({ runState, runnerVerdict });
const lifecyclesPart = (facts: TriageRunFacts) => ({ ...facts, runState: null, runnerVerdict: null });

test("lifecycle events do not change the prompt, and owner events do not change lifecycle facts (O11, C3)", () => {
  for (const events of lives) {
    let facts = runFacts();
    const before = ownersPart(facts);
    for (const event of events) {
      facts = transition(facts, event);
      expect({ [event.type]: ownersPart(facts) }).toEqual({ [event.type]: before });
    }
  }
  const lived = new Set(lives.flat().map(({ type }) => type));
  expect([...lived].toSorted()).toEqual(Object.keys(lifecycleTypes).toSorted());
  let facts = runFacts();
  const before = lifecyclesPart(facts);
  for (const event of Object.values(ownerEvents)) {
    const next = transition(facts, event);
    expect(next).not.toBe(facts);
    expect({ [event.type]: lifecyclesPart(next) }).toEqual({ [event.type]: before });
    facts = next;
  }
});

/**
 * Patterns of code that writes facts of a Triage Run or sends input to its Triage Agent, each with the only file that may contain
 * such code.
 */
const WRITERS: readonly { what: RegExp; by: string }[] = [
  { what: /(?<!function )\btransition\(|reduce\(transition\b/, by: "runs/run-ledger.ts" },
  { what: /\bsaveRun\((?!facts: )/, by: "runs/run-ledger.ts" },
  { what: /\bnew RunLedger\(/, by: "runs/owner/run-owner.ts" },
  { what: /\bnew Lifecycle\(/, by: "runs/owner/run-owner.ts" },
  { what: /(?<!function )\b(?:nudgeText|planNudges)\(/, by: "runs/lifecycle.ts" },
];

const strangers = (files: readonly { path: string; text: string }[]): string[] =>
  files.flatMap(({ path, text }) =>
    WRITERS.flatMap(({ what, by }) =>
      path !== by && what.test(text) ? [`src/${path} has ${String(what)}: report it to ${by} instead`] : [],
    ),
  );

const sources = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  // The engine is excluded, because it has its own runs and transitions.
  .filter((path) => path.endsWith(".ts") && !path.startsWith("agent-tty/"))
  .map((path) => ({ path, text: readFileSync(join(SOURCE, path), "utf8") }));

test("only the lifecycle module writes lifecycle facts and formulates nudges (O11)", () => {
  expect(strangers(sources)).toEqual([]);
  // Each rule must match its own file, because a rule about a name that no longer exists would never fail.
  for (const { what, by } of WRITERS)
    expect(sources.some(({ path, text }) => path === by && what.test(text))).toBe(true);
  const texts = [
    "store.saveRun(transition(facts, event));",
    "new RunLedger(facts, ports)",
    "gate.send(nudgeText(nudge), signal)",
  ];
  for (const text of texts) expect(strangers([{ path: "triage/batch/x.ts", text }])).not.toEqual([]);
});

test("a run's owner cannot send lifecycle events, by its types (O11)", () => {
  const owner = sources.find(({ path }) => path === "runs/owner/run-owner.ts")?.text ?? "";
  const sent = [...owner.matchAll(/#ledger\.apply\(\{ type: "([^"]+)"/g)].map((match) => match[1]);
  expect(owner.split("#ledger.apply(")).toHaveLength(sent.length + 1);
  expect(new Set(sent)).toEqual(new Set(Object.keys(ownerEvents)));
});

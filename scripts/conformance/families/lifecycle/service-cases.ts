import { createVirtualClock } from "agent-tty/testing";
import { z } from "zod";
import {
  closedGate,
  type PullRequestFacts,
  type RunOwner,
  RunService,
  type InputGate,
  type TriageRunFacts,
} from "../../../../src/runs/index.ts";
import { type CaseReport, compare, notExpressible, pickLike } from "../../case-report.ts";
import { factsOf, type LifecycleCase, NOW_MS, rowOf, RUN_ID } from "./lifecycle-case.ts";

/** A parent with one run: the saved facts, and the messages that its Triage Agent got. */
interface Stage {
  service: RunService;
  owner: RunOwner;
  saved: TriageRunFacts[];
  sent: string[];
  gate: InputGate;
}

type Check = (one: LifecycleCase) => CaseReport | Promise<CaseReport>;

const never = new AbortController().signal;

const CHECKS: Readonly<Record<string, Check>> = {
  "activity signal valid=false": ({ id, given, expect }) => {
    const stage = openStage(factsOf(given));
    stage.owner.lifecycle.signal({ type: "invalid" });
    return compare(id, expect, stage.saved.length === 0 ? "unchanged" : rowOf(stage.owner.facts));
  },
  "PR observed merged": async ({ id, given, expect }) => {
    const stage = openStage(factsOf(given));
    await observe(stage, [{ ...failing("A"), state: "merged" }]);
    const seen = { ...rowOf(stage.owner.facts), nudges: stage.sent.length };
    return compare(id, expect, pickLike(z.record(z.string(), z.unknown()).parse(expect), seen));
  },
  "PR observation fetched=false": async ({ id, given, expect }) => {
    const stage = openStage(factsOf(given));
    await stage.owner.lifecycle.observePullRequests({ type: "failed" }, stage.gate, never);
    const isUntouched = stage.saved.length === 0 && stage.sent.length === 0;
    return compare(id, expect, isUntouched ? "no rows written, no lifecycle call" : rowOf(stage.owner.facts));
  },
  "kill unknown id": async ({ id, expect }) => {
    const { service } = openStage(factsOf({}));
    return compare(id, expect, service.find("octo/widgets#404") === null ? "no error, not freed" : "found");
  },
  restore: ({ id, given, expect }) => {
    const { service } = openStage(factsOf({}), 2);
    const restored = service.restore(factsOf(given), { runId: RUN_ID, atMs: NOW_MS });
    if (restored.type === "not-restorable") return compare(id, expect, "error not restorable");
    const { lifecycle } = restored.owner;
    lifecycle.report({ type: "spawn-completed", isSignalCapable: true, atMs: NOW_MS });
    const expected = z.record(z.string(), z.unknown()).safeParse(expect).data ?? {};
    return compare(id, expect, pickLike(expected, rowOf(restored.owner.facts)));
  },
};

/** Checks a case of the run service and the lifecycle; returns null if the case is about something else. */
export async function checkServiceCase(one: LifecycleCase): Promise<CaseReport[] | null> {
  if (Array.isArray(one.event)) return checkNudges(one);
  if (one.event === undefined && typeof one.given === "string")
    return [
      notExpressible(
        one.id,
        "runs are probed one by one, each when it falls silent: there is no pass over all",
      ),
    ];
  const check = typeof one.event === "string" ? CHECKS[one.event] : undefined;
  return check === undefined ? null : [await check(one)];
}

/** Counts the nudges after each observation; a restarted parent continues from the saved facts. */
async function checkNudges({ id, given, event, expect }: LifecycleCase): Promise<CaseReport[] | null> {
  const steps = z.array(z.string()).parse(event);
  const expected = z.strictObject({ nudges: z.array(z.number()) }).safeParse(expect);
  if (!expected.success) return null;
  let stage = openStage(factsOf(given));
  let log = "";
  const counts: number[] = [];
  let earlier = 0;
  for (const step of steps) {
    log = /\(log (\w+)\)/.exec(step)?.[1] ?? log;
    if (step.includes("restart")) {
      earlier += stage.sent.length;
      stage = openStage(stage.saved.at(-1) ?? factsOf(given));
    }
    await observe(stage, [failing(log)]);
    counts.push(earlier + stage.sent.length);
  }
  return [compare(id, expected.data.nudges, counts)];
}

function openStage(facts: TriageRunFacts, number = facts.number): Stage {
  const saved: TriageRunFacts[] = [];
  const sent: string[] = [];
  const service = new RunService({
    journal: { saveRun: (written) => void saved.push(written) },
    onUnsaved: (error) => {
      throw error;
    },
    clock: createVirtualClock(NOW_MS),
    stopError: (reason) => new Error(reason),
  });
  const { owner } = service.open({ ...facts, number });
  const gate: InputGate = {
    ...closedGate,
    send: async (text) => {
      sent.push(text);
      return { type: "sent" };
    },
  };
  return { service, owner, saved, sent, gate };
}

function observe({ owner, gate }: Stage, pullRequests: PullRequestFacts[]): Promise<unknown> {
  return owner.lifecycle.observePullRequests({ type: "observed", pullRequests }, gate, never);
}

function failing(checksSignature: string): PullRequestFacts {
  return {
    number: 1,
    url: "https://github.com/octo/widgets/pull/1",
    state: "open",
    isDraft: false,
    checks: "failing",
    review: "none",
    hasUnresolvedHumanComments: false,
    mergeability: "unknown",
    headSha: null,
    checksSignature,
    feedbackSignature: null,
    updatedAtMs: NOW_MS,
  };
}

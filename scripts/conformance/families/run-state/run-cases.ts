import { z } from "zod";
import { deriveSurface } from "../../../../src/runs/index.ts";
import { type CaseReport, compare, notCovered, notExpressible } from "../../case-report.ts";
import { openOwnerStage, type OwnerStage } from "./owner-stage.ts";
import { takeStep } from "./steps.ts";

export const runStateCaseSchema = z.looseObject({
  id: z.string(),
  steps: z.array(z.string()),
  states: z.array(z.string()).optional(),
  expect: z.string().optional(),
  note: z.string().optional(),
  mode: z.string().optional(),
});
type RunStateCase = z.infer<typeof runStateCaseSchema>;

/** Reads the observed value of each further part of a case after its steps. */
const SEEN: Readonly<Record<string, (stage: OwnerStage, expected: unknown) => unknown>> = {
  final_delivered: ({ finals }) => finals.some(({ type }) => type === "settled"),
  run_settled: ({ finals }) => finals.length > 0,
  result: ({ finals }) =>
    finals.some((update) => update.type === "settled" && update.evidence === "proven-death")
      ? "error"
      : "none",
  backend: ({ runner }) => (runner.wasStopped ? "interrupted" : "running"),
  surface: ({ surfaces }: OwnerStage & { surfaces?: string[] }, expected) => {
    const shown = expected === "blocked notice" ? /^blocked: / : new RegExp(`^${String(expected)}$`);
    return surfaces?.some((surface) => shown.test(surface)) === true ? expected : surfaces;
  },
  observer: (stage, expected) => observerOf(stage, expected),
};

export async function checkRun(one: RunStateCase): Promise<CaseReport[]> {
  const { id, steps, states: expected, expect, note: _note, mode: _mode, ...parts } = one;
  const stage = Object.assign(openOwnerStage(), { surfaces: [] as string[] });
  const states: string[] = [];
  let refusal: string | null = null;
  for (const text of steps) {
    const taken = await takeStep(stage, text);
    if (taken === null) return [notExpressible(id, `no step of the project is ${JSON.stringify(text)}`)];
    if (taken.result !== undefined) refusal = taken.result;
    const isRejected = taken.result === "rejected";
    states.push(`${stage.owner.facts.runState.state}${isRejected ? " (rejected)" : ""}`);
    stage.surfaces.push(deriveSurface(stage.owner.facts));
  }
  return [
    ...(expected === undefined ? [] : [compare(id, expected, states)]),
    ...(expect === undefined ? [] : [compare(id, expect, said(refusal, stage))]),
    ...(await checkParts(id, parts, stage)),
  ];
}

async function checkParts(id: string, parts: object, stage: OwnerStage): Promise<CaseReport[]> {
  const reports: CaseReport[] = [];
  for (const [part, expected] of Object.entries(parts)) {
    const see = SEEN[part];
    reports.push(
      see === undefined
        ? notCovered(`${id}: ${part}`, "unknown part of a case")
        : compare(`${id}: ${part}`, expected, await see(stage, expected)),
    );
  }
  return reports;
}

function said(refusal: string | null, { owner }: OwnerStage): string {
  if (refusal !== "rejected") return `says ${refusal}`;
  const again = owner.admit();
  const guides = again.type === "rejected" && again.guidance.remedy.includes("afk-triage stop");
  return guides ? "rejected with active-run guidance" : "rejected";
}

/** Describes an observer in the words of the cases, by its behaviour rather than its state. */
async function observerOf(stage: OwnerStage, expected: unknown): Promise<unknown> {
  const { slot, observer, owner, clock } = stage;
  if (observer === null) return "none";
  if (typeof expected === "object") return describePoll(stage);
  const delta = async (): Promise<number> => {
    const before = observer.seen.length;
    await owner.take({ type: "running-delta", text: `at ${clock.nowMs()}`, atMs: clock.nowMs() });
    await clock.advance(1);
    return observer.seen.length - before;
  };
  const isTold = (await delta()) > 0;
  if (expected === "live" && slot?.mode.type === "live") return isTold ? "live" : "silent";
  if (expected === "kept" || expected === "removed") return isTold ? "kept" : "removed";
  owner.settle("turn-outcome");
  await clock.advance(1);
  const isFinal = observer.seen.at(-1)?.type === "settled";
  return `${isTold ? "live updates go on" : "live updates stop"}; ${isFinal ? "final still delivered" : "final lost"}`;
}

async function describePoll({ slot, clock }: OwnerStage): Promise<unknown> {
  const mode = slot?.mode;
  if (mode?.type !== "poll") return mode?.type;
  const { intervalMs, expiresMs } = mode;
  await clock.advance(expiresMs ?? 0);
  return { mode: "poll", interval_ms: intervalMs, expires_ms: expiresMs, on_expiry: slot?.mode.type };
}

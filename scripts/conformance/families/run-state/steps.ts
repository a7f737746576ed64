import { parseDuration } from "../../../../src/notation/index.ts";
import { MONITOR_TIMES, type ObserverMode, probeRunner } from "../../../../src/runs/index.ts";
import { failingObserver, type OwnerStage, persisted } from "./owner-stage.ts";

/** The result of a step in addition to the new state, if a prompt or command was refused. */
type StepResult = "rejected" | "no active run" | void;
type Step = (stage: OwnerStage, match: readonly string[]) => StepResult | Promise<StepResult>;

const STEPS: readonly [RegExp, Step][] = [
  [/^(?:prompt admitted|running)$/, ({ owner }) => void owner.admit()],
  [/^second prompt$/, ({ owner }) => (owner.admit().type === "rejected" ? "rejected" : undefined)],
  [
    /^running delta$/,
    ({ owner, clock }) => owner.take({ type: "running-delta", text: "x", atMs: clock.nowMs() }),
  ],
  [
    /^idle-after-output$/,
    ({ owner, clock }) => owner.take({ type: "idle-after-output", text: "x", atMs: clock.nowMs() }),
  ],
  [/^max-runtime reached$/, ({ clock }) => clock.advance(MONITOR_TIMES.observationWindowMs + 250)],
  [
    /^run detached$/,
    async ({ owner, clock }) => {
      owner.admit();
      await clock.advance(MONITOR_TIMES.observationWindowMs + 250);
    },
  ],
  [/^no visible output/, ({ clock }) => clock.advance(MONITOR_TIMES.noOutputTimeoutMs + 500)],
  [/^probe=(silent-but-alive|blocked|dead)$/, probe],
  [/^(?:owner settles|true completion|settlement)$/, ({ owner }) => owner.settle("turn-outcome")],
  [/^message-tool final$/, ({ owner }) => owner.reportFinal()],
  [/^\/stop$/, async ({ owner }) => void (await owner.stop())],
  [/^\/attach$/, (stage) => observe(stage, { type: "live" })],
  [/^\/watch every (\w+)(?: for (\w+))?$/, watch],
  [/^\/detach$/, detach],
  [
    /^observer delivery fails x(\d) \(retryable\)$/,
    (stage, [, times]) => deliver(stage, Number(times), "retry"),
  ],
  [/^observer throws non-retryable$/, (stage) => deliver(stage, 1, "broken")],
  [/^delivery ok$/, ({ clock }) => clock.advance(60_000)],
  [/^process restart; persisted (\w+); runner (missing|alive)$/, restart],
];

/** Returns null if the project has no step of this name. */
export async function takeStep(stage: OwnerStage, text: string): Promise<{ result: StepResult } | null> {
  for (const [pattern, step] of STEPS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const result = await step(stage, match);
    await stage.clock.advance(0);
    return { result };
  }
  return null;
}

/** Lets the runner answer so that its probes lead to this verdict. */
async function probe({ owner, runner, clock }: OwnerStage, [, verdict]: readonly string[]): Promise<void> {
  runner.liveness = verdict === "dead" ? "dead" : "alive";
  runner.posture = verdict === "blocked" ? "waiting" : "busy";
  const judged = await probeRunner(runner.probes, clock);
  if (judged !== verdict) throw new Error(`the runner is ${judged}, not ${verdict}`);
  owner.judge(judged);
}

function observe(stage: OwnerStage, mode: ObserverMode): StepResult {
  stage.observer = failingObserver();
  // Without a prompt there is no active run to observe.
  const isActive = stage.owner.facts.runState.state !== "idle";
  stage.slot = isActive ? stage.owner.observe(stage.observer, mode) : null;
  return stage.slot === null ? "no active run" : undefined;
}

function watch(stage: OwnerStage, [, every = "", during]: readonly string[]): StepResult {
  const expiresMs = during === undefined ? null : parseDuration(during);
  return observe(stage, { type: "poll", intervalMs: parseDuration(every) ?? 0, expiresMs });
}

async function detach(stage: OwnerStage): Promise<void> {
  observe(stage, { type: "live" });
  await stage.clock.advance(0);
  stage.slot?.setMode({ type: "passive-final" });
}

async function deliver(stage: OwnerStage, times: number, failure: "retry" | "broken"): Promise<void> {
  stage.observer = failingObserver();
  stage.observer.failures = Array.from({ length: times }, () => failure);
  stage.slot = stage.owner.observe(stage.observer, { type: "live" });
  await stage.clock.advance(60_000);
}

function restart(stage: OwnerStage, [, state = "", runner]: readonly string[]): void {
  const { owner } = stage.service.rehydrate(persisted(state), runner === "missing" ? null : stage.runner);
  stage.owner = owner;
}

import { createVirtualClock, type VirtualClock } from "agent-tty/testing";
import {
  closedGate,
  type Liveness,
  type Observer,
  type ObserverSlot,
  type Posture,
  type RunOwner,
  type Runner,
  RunService,
  type RunUpdate,
  selectedTriageRun,
  type TriageRunEvent,
  type TriageRunFacts,
  transition,
} from "../../../../src/runs/index.ts";

const NOW_MS = Date.UTC(2026, 0, 1);

/** A parent of one run with a scripted runner. */
export interface OwnerStage {
  clock: VirtualClock;
  service: RunService;
  owner: RunOwner;
  runner: Runner & { liveness: Liveness; posture: Posture; wasStopped: boolean };
  /** Called with every final result. */
  finals: RunUpdate[];
  observer: (Observer & { failures: ("retry" | "broken")[]; seen: RunUpdate[] }) | null;
  slot: ObserverSlot | null;
}

export function openOwnerStage(): OwnerStage {
  const clock = createVirtualClock(NOW_MS);
  const service = new RunService({
    journal: { saveRun: () => undefined },
    onUnsaved: (error) => {
      throw error;
    },
    clock,
    stopError: (reason) => new Error(reason),
  });
  const { owner } = service.open(newRun());
  const runner: OwnerStage["runner"] = {
    liveness: "unknown",
    posture: "unknown",
    wasStopped: false,
    probes: { liveness: async () => runner.liveness, posture: async () => runner.posture },
    screen: { mark: () => 0, look: async () => ({ text: "", posture: runner.posture }) },
    gate: { ...closedGate, send: async () => ({ type: "sent" }) },
    stopped: async () => void (runner.wasStopped = owner.stopSignal.aborted),
  };
  owner.attachRunner(runner);
  const finals: RunUpdate[] = [];
  const deliver = async (update: RunUpdate): Promise<"delivered"> => {
    finals.push(update);
    return "delivered";
  };
  owner.observe({ deliver }, { type: "passive-final" });
  return { clock, service, owner, runner, finals, observer: null, slot: null };
}

/** Returns the facts that an ended parent left in the store. */
export function persisted(state: string): TriageRunFacts {
  const events: TriageRunEvent[] = [{ type: "prompt-admitted", atMs: NOW_MS }];
  if (state === "detached") events.push({ type: "observation-window-ended", atMs: NOW_MS });
  return events.reduce(transition, newRun(2));
}

function newRun(number = 1): TriageRunFacts {
  return selectedTriageRun({ runId: "20260101T000000Z", repo: "octo/widgets", number, atMs: NOW_MS });
}

/** Returns an observer with scripted failures. */
export function failingObserver(): NonNullable<OwnerStage["observer"]> {
  const observer: NonNullable<OwnerStage["observer"]> = {
    failures: [],
    seen: [],
    deliver: async (update) => {
      const failure = observer.failures.shift();
      if (failure === "broken") throw new Error("a defect of the observer");
      if (failure === "retry") return "retry";
      observer.seen.push(update);
      return "delivered";
    },
  };
  return observer;
}

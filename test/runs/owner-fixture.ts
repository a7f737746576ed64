import { createVirtualClock, type VirtualClock } from "agent-tty/testing";
import {
  type Liveness,
  type Observer,
  type Posture,
  type RunOwner,
  type Runner,
  RunService,
  type RunUpdate,
  selectedTriageRun,
  type SendResult,
  type TriageRunEvent,
  transition,
  type TriageRunFacts,
} from "../../src/runs/index.ts";

export const RUN_ID = "20260101T000000Z";

export interface OwnerFixture {
  clock: VirtualClock;
  service: RunService;
  owner: RunOwner;
  saved: TriageRunFacts[];
  /** Errors of the journal. */
  unsaved: unknown[];
  runner: FakeRunner;
}

/** A runner whose state the test sets; `sent` contains the texts that it received. */
export interface FakeRunner extends Runner {
  text: string;
  liveness: Liveness | Error;
  posture: Posture;
  answer: SendResult;
  sent: string[];
  events: string[];
}

export function ownerFixture(journal?: { saveRun(facts: TriageRunFacts): void }): OwnerFixture {
  const clock = createVirtualClock(0);
  const saved: TriageRunFacts[] = [];
  const unsaved: unknown[] = [];
  const service = new RunService({
    journal: journal ?? { saveRun: (facts) => void saved.push(facts) },
    onUnsaved: (error) => void unsaved.push(error),
    clock,
    stopError: (reason) => new Error(reason),
  });
  const { owner } = service.open(runFacts());
  return { clock, service, owner, saved, unsaved, runner: fakeRunner() };
}

export function runFacts(events: readonly TriageRunEvent[] = [], number = 7): TriageRunFacts {
  return events.reduce(transition, selectedTriageRun({ runId: RUN_ID, repo: "o/r", number, atMs: 0 }));
}

export function fakeRunner(): FakeRunner {
  let mark = 0;
  let last = "";
  const runner: FakeRunner = {
    text: "",
    liveness: "alive",
    posture: "busy",
    answer: { type: "sent" },
    sent: [],
    events: [],
    probes: {
      liveness: async () => {
        if (runner.liveness instanceof Error) throw runner.liveness;
        return runner.liveness;
      },
      posture: async () => runner.posture,
    },
    screen: {
      mark: () => {
        if (runner.text !== last) mark += 1;
        last = runner.text;
        return mark;
      },
      look: async () => ({ text: runner.text, posture: runner.posture }),
    },
    gate: {
      send: async (text) => {
        if (runner.answer.type === "sent") runner.sent.push(text);
        return runner.answer;
      },
      answer: async ({ dialog, choice }) => {
        if (runner.answer.type === "sent") runner.sent.push(`chose ${dialog.choices[choice]}`);
        return runner.answer;
      },
    },
    stopped: async () => void runner.events.push("stopped"),
  };
  return runner;
}

export interface FakeObserver extends Observer {
  seen: RunUpdate[];
  /** The answers to the next deliveries; all later deliveries succeed. */
  answers: ("retry" | Error)[];
}

export function fakeObserver(): FakeObserver {
  const observer: FakeObserver = {
    seen: [],
    answers: [],
    deliver: async (update) => {
      const answer = observer.answers.shift();
      if (answer instanceof Error) throw answer;
      if (answer === "retry") return "retry";
      observer.seen.push(update);
      return "delivered";
    },
  };
  return observer;
}

/** Formats an update as a short string: its type with the Run State, the evidence, or the output text. */
export function brief(update: RunUpdate): string {
  if (update.type === "output") return `output ${update.text}`;
  if (update.type === "settled") return `settled ${update.evidence}`;
  return `${update.type} ${update.view.runState}`;
}

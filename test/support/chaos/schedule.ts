import { type Draw, createDraw } from "./draw.ts";
import {
  type CoderFault,
  drawCoderFault,
  drawGithubFault,
  drawParentFault,
  type GithubFault,
  type ParentFault,
} from "./faults.ts";
import { type TriageAgentTitle, triageAgentWeights } from "./expectations.ts";
import { drawSignalMoment, type Moment } from "./moment.ts";

/** Everything that is decided before a run, as plain data; the same seed and number produce the same schedule. */
export interface Schedule {
  seed: number;
  number: number;
  issues: ScheduledIssue[];
  parents: ScheduledParent[];
  strikes: Strike[];
  /** Delays of the deployment, in milliseconds. */
  coder: { buildMs: number; deleteMs: number; mayCancel: boolean; lease: "full" | "short" };
  multiplexer: "auto" | "none";
  /** A command that is started right after the faults and interrupted; null if there is none. */
  interlude: Interlude | null;
  /** Whether a person runs `reap` before the next batch. */
  reapFirst: boolean;
}

/** With pace `slowly` its Triage Agent works until the faults are over, so that its parent has to be stopped. */
export interface ScheduledIssue {
  agent: TriageAgentTitle;
  pace: "prompt" | "a-while" | "slowly";
}

export interface ScheduledParent {
  /** Parents with the same number share their home. */
  home: number;
  parallelism: number;
  startsAfterMs: number;
}

export interface Interlude {
  command: "reap" | "verify";
  signal: ParentSignal;
  afterMs: number;
}

export type Strike =
  /** `againAfterMs`: when a second signal follows, as from an impatient person. */
  | { type: "signal"; at: Moment; parent: number; signal: ParentSignal; againAfterMs: number | null }
  | { type: "parent"; at: Moment; parent: number; fault: ParentFault }
  | { type: "coder"; at: Moment; fault: CoderFault }
  | { type: "github"; at: Moment; fault: GithubFault };

export type ParentSignal = "SIGKILL" | "SIGTERM" | "SIGINT";

export function drawSchedule(seed: number, number: number): Schedule {
  const draw = createDraw(seed, number);
  const issues = times(draw.pick([2, 2, 2, 3, 3, 3, 4, 5]), () => drawIssue(draw));
  const parents = drawParents(draw);
  const size = { issues: issues.length, parents: parents.length };
  const signals = times(draw.pick([0, 1, 1, 1, 1, 1, 2, 2, 2, 3]), (): Strike => {
    const parent = draw.int(0, parents.length - 1);
    const signal = draw.weighted({ SIGKILL: 5, SIGTERM: 2, SIGINT: 2 });
    const at = drawSignalMoment(draw, parent, size);
    return { type: "signal", at, parent, signal, againAfterMs: null };
  });
  const coder = times(draw.pick([0, 1, 1, 1, 1, 2, 2, 2, 2, 3]), (): Strike => ({
    type: "coder",
    ...drawCoderFault(draw, size),
  }));
  const github = times(draw.pick([0, 0, 1, 1, 1, 1, 2, 2]), (): Strike => ({
    type: "github",
    ...drawGithubFault(draw, size),
  }));
  const deployment: Schedule["coder"] = {
    buildMs: draw.pick([10, 10, 100]),
    deleteMs: draw.pick([10, 10, 150]),
    mayCancel: draw.chance(0.5),
    lease: draw.weighted({ full: 4, short: 1 }),
  };
  const multiplexer = draw.weighted({ auto: 3, none: 2 });
  const reapFirst = draw.chance(0.2);
  const again = signals.map((strike) => drawAgain(draw, strike));
  const faults = times(draw.pick([0, 0, 0, 1, 1, 2]), (): Strike => {
    const parent = draw.int(0, parents.length - 1);
    return { type: "parent", parent, ...drawParentFault(draw, parent, size) };
  });
  return {
    seed,
    number,
    issues,
    parents,
    strikes: [...again, ...coder, ...github, ...faults],
    coder: deployment,
    multiplexer,
    reapFirst,
    interlude: draw.chance(0.2) ? drawInterlude(draw, deployment) : null,
  };
}

function drawAgain(draw: Draw, strike: Strike): Strike {
  const isAgain = draw.chance(0.3);
  return strike.type === "signal" && isAgain ? { ...strike, againAfterMs: draw.int(0, 300) } : strike;
}

/**
 * Draws an interlude. `verify` is only drawn with a full lease: no journal records it, so with a short lease, which cannot name
 * the parent, only time proves that the parent is dead.
 */
function drawInterlude(draw: Draw, { lease }: Schedule["coder"]): Interlude {
  return {
    command: lease === "full" ? draw.pick(["reap", "verify"]) : "reap",
    signal: draw.weighted({ SIGKILL: 3, SIGTERM: 1, SIGINT: 1 }),
    afterMs: draw.int(200, 2_500),
  };
}

function drawIssue(draw: Draw): ScheduledIssue {
  return {
    agent: draw.weighted(triageAgentWeights),
    pace: draw.weighted({ prompt: 6, "a-while": 3, slowly: 1 }),
  };
}

/**
 * Draws the parents: with one home for all (such as two shells of one person), or one home each (such as a laptop and Actions).
 */
function drawParents(draw: Draw): ScheduledParent[] {
  const isShared = draw.chance(0.5);
  return times(draw.pick([1, 1, 1, 2, 2, 2, 2, 2, 3, 3]), (index) => ({
    home: isShared ? 0 : index,
    parallelism: draw.int(1, 3),
    startsAfterMs: index === 0 ? 0 : draw.pick([0, 0, 300, 900, 1_800]),
  }));
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

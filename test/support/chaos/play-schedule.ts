import { systemClock } from "agent-tty/kit";
import type { BuiltProgram } from "../batch/program.ts";
import { type ChaosStage, openChaosStage } from "./chaos-stage.ts";
import { createCoderStrikes } from "./coder-strikes.ts";
import { createGithubStrikes } from "./github-strikes.ts";
import { playInterlude } from "./interlude.ts";
import { createParentStrikes } from "./parent-strikes.ts";
import { findViolations, type Violation } from "./find-violations.ts";
import { describeMoment } from "./moment.ts";
import { createMoments, type Moments } from "./moments.ts";
import { type Parent, type ParentEnd, startParent } from "./parents.ts";
import { recover } from "./recover.ts";
import type { ParentSignal, Schedule, Strike } from "./schedule.ts";
import { createTally, type Tally } from "./tally.ts";
import { createTimeline, type Timeline } from "./timeline.ts";

export interface PlayedSchedule {
  schedule: Schedule;
  violations: Violation[];
  /** The number of parents of the schedule and of its recovery. */
  parents: number;
  signals: [name: string, count: number][];
  /** Only faults that took effect count. */
  faults: [name: string, count: number][];
  recoveryRounds: number;
  durationMs: number;
  timeline: string[];
}

/**
 * A parent that prints nothing for this long is stopped as a person would stop it, because its Triage Agents work "slowly". The
 * time counts from its last line, so that on a busy machine no parent is stopped before the faults at its later moments.
 */
const PATIENCE_MS = 4_000;

/** Plays one schedule: parents and strikes, then recovery without faults, then the final check. */
export async function playSchedule(schedule: Schedule, program: BuiltProgram): Promise<PlayedSchedule> {
  const startedMs = systemClock.monotonicMs();
  const timeline = createTimeline();
  const signals = createTally();
  const faults = createTally();
  await using stage = await openChaosStage(program, schedule);
  const disturbed = await disturb({ schedule, stage, timeline, signals, faults });
  const { interlude } = schedule;
  if (interlude !== null) await playInterlude(interlude, stage, timeline, signals);
  const recovery = await recover(stage, schedule, timeline);
  const ends = [...disturbed, ...recovery.ends];
  const violations = await findViolations(stage, schedule, ends);
  for (const { invariant, text } of violations) timeline.note("VIOLATION", `${invariant}: ${text}`);
  return {
    schedule,
    violations,
    parents: ends.length,
    signals: signals.entries(),
    faults: faults.entries(),
    recoveryRounds: recovery.rounds,
    durationMs: Math.round(systemClock.monotonicMs() - startedMs),
    timeline: timeline.lines(),
  };
}

interface Play {
  schedule: Schedule;
  stage: ChaosStage;
  timeline: Timeline;
  signals: Tally;
  faults: Tally;
}

async function disturb(play: Play): Promise<ParentEnd[]> {
  const { schedule, stage, timeline, faults } = play;
  // Strikes stop when this scope ends.
  using moments = createMoments();
  const coder = createCoderStrikes(stage, schedule.coder.deleteMs, faults);
  const github = createGithubStrikes(faults);
  const struck = createParentStrikes(stage, faults);
  const parents = new Map<number, Parent>();
  stage.coder.onCall = (call) => {
    timeline.note("coder", call.type === "ssh" ? "lets a coder ssh in" : `${call.method} ${call.path}`);
    moments.sawCoder(call);
    coder.saw(call);
  };
  stage.github.proxy.onRequest = (request) => {
    moments.sawGithub(request);
    const fate = github.fate(request);
    timeline.note(
      "github",
      `${request.method} ${request.path}${fate === null ? "" : ` -> ${JSON.stringify(fate)}`}`,
    );
    return fate;
  };
  for (const strike of schedule.strikes) {
    moments.at(strike.at, () => {
      timeline.note("strike", `at ${describeMoment(strike.at)}: ${describeStrike(strike)}`);
      if (strike.type === "coder") coder.arm(strike.fault);
      else if (strike.type === "github") github.arm(strike.fault);
      else strikeParent(strike);
    });
  }
  const strikeParent = (strike: Extract<Strike, { parent: number }>): void => {
    const parent = parents.get(strike.parent);
    const home = schedule.parents[strike.parent]?.home;
    if (parent === undefined || home === undefined) return;
    if (strike.type === "parent") struck.strike(strike.fault, parent, home);
    else if (parent.signal(strike.signal)) {
      play.signals.add(strike.signal);
      if (strike.againAfterMs !== null) signalAgain(strike, parent, strike.againAfterMs);
    }
  };
  const signalAgain = ({ signal }: { signal: ParentSignal }, parent: Parent, afterMs: number): void =>
    void systemClock.schedule(afterMs, () => {
      if (parent.signal(signal)) play.signals.add(`${signal} again`);
    });
  const ends = await Promise.all(
    schedule.parents.map((_, index) => parentsLife(index, parents, moments, play)),
  );
  await struck.over();
  coder.lift();
  github.lift();
  timeline.note("strike", "all faults are over");
  return ends;
}

async function parentsLife(
  index: number,
  parents: Map<number, Parent>,
  moments: Moments,
  { schedule, stage, timeline, signals }: Play,
): Promise<ParentEnd> {
  const planned = schedule.parents[index];
  if (planned === undefined) throw new Error(`no parent ${index}`);
  await systemClock.sleep(planned.startsAfterMs);
  const parent = startParent(stage, {
    label: `parent ${index}`,
    home: planned.home,
    parallelism: planned.parallelism,
    timeline,
    onEvent: (event) => moments.sawEvent(index, event),
    patienceMs: PATIENCE_MS,
    onPatienceEnd: () => signals.add("SIGINT by patience"),
  });
  parents.set(index, parent);
  return parent.ended;
}

export function describeStrike(strike: Strike): string {
  switch (strike.type) {
    case "signal": {
      const { signal, parent, againAfterMs } = strike;
      return `${signal} to parent ${parent}${againAfterMs === null ? "" : `, again after ${againAfterMs} ms`}`;
    }
    case "parent":
      return `${JSON.stringify(strike.fault)} to parent ${strike.parent}`;
    default:
      return `${strike.type} ${JSON.stringify(strike.fault)}`;
  }
}

import type { Draw } from "./draw.ts";

/** The moment of a strike, counted from the start of a schedule over all parents. */
export type Moment =
  | { on: "github"; which: GithubCall; nth: number }
  | { on: "coder"; which: CoderCall; nth: number }
  | { on: "ssh"; nth: number }
  /** A BatchEvent of one parent; a phase is given by its name. */
  | { on: "event"; parent: number; event: string; nth: number }
  | { on: "time"; afterMs: number };

export type GithubCall = "any" | "write" | "comment";
export type CoderCall = "any" | "create" | "stop" | "delete";

export interface Size {
  issues: number;
  parents: number;
}

/**
 * The highest `nth` of each call, fixed and per issue: about as many as an undisturbed schedule makes, so that most moments come.
 */
const GITHUB = { any: [6, 7], write: [0, 3], comment: [0, 1] } as const;
const CODER = { any: [9, 9], create: [0, 2], stop: [0, 1], delete: [0, 2] } as const;

export function drawGithubMoment(draw: Draw, { issues }: Size): Extract<Moment, { on: "github" }> {
  const which = draw.weighted({ any: 2, write: 3, comment: 3 });
  const [fixed, each] = GITHUB[which];
  return { on: "github", which, nth: draw.int(1, fixed + each * issues) };
}

export function drawCoderMoment(
  draw: Draw,
  { issues }: Size,
  which: CoderCall,
): Extract<Moment, { on: "coder" }> {
  const [fixed, each] = CODER[which];
  return { on: "coder", which, nth: draw.int(1, fixed + each * issues) };
}

export function drawSshMoment(draw: Draw, { issues }: Size): Extract<Moment, { on: "ssh" }> {
  return { on: "ssh", nth: draw.int(1, 4 * issues) };
}

const EVENTS = [
  "batch-started",
  "selected",
  "creating",
  "workspace-created",
  "preparing",
  "session-opened",
  "triaging",
  "verifying",
  // Between the stop of the Triage Agent's Coder workspace and the create of the second one.
  "place-requested",
  "applying",
  "destroying",
  "issue-finished",
] as const;

export function drawSignalMoment(draw: Draw, parent: number, size: Size): Moment {
  switch (draw.weighted({ event: 5, github: 4, coder: 3, ssh: 2, time: 2 })) {
    case "event":
      return { on: "event", parent, event: draw.pick(EVENTS), nth: draw.int(1, 2) };
    case "github":
      return drawGithubMoment(draw, size);
    case "coder":
      return drawCoderMoment(draw, size, draw.weighted({ any: 2, create: 2, stop: 2, delete: 2 }));
    case "ssh":
      return drawSshMoment(draw, size);
    case "time":
      return { on: "time", afterMs: draw.int(50, 4_000) };
  }
}

export function describeMoment(moment: Moment): string {
  switch (moment.on) {
    case "github":
    case "coder":
      return `${moment.which} request ${moment.nth} to ${moment.on}`;
    case "ssh":
      return `coder ssh ${moment.nth}`;
    case "event":
      return `${moment.event} ${moment.nth} of parent ${moment.parent}`;
    case "time":
      return `${moment.afterMs} ms`;
  }
}

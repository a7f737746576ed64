import type { Draw } from "./draw.ts";
import {
  drawCoderMoment,
  drawGithubMoment,
  drawSignalMoment,
  drawSshMoment,
  type CoderCall,
  type GithubCall,
  type Moment,
  type Size,
} from "./moment.ts";

/** The faults of a Coder deployment, for the next `times` occasions or for some time. */
export type CoderFault =
  | { kind: AnswerFaultKind; which: CoderCall; times: number }
  | { kind: CountedFaultKind; times: number }
  | { kind: LastingFaultKind; forMs: number }
  | { kind: InstantFaultKind };

export type AnswerFaultKind =
  | "bad-gateway"
  | "rate-limit"
  | "lost-answer"
  | "refused-connection"
  | "delete-conflict";
export type CountedFaultKind = "ssh-refused" | "ssh-lost" | "stop-fails" | "delete-fails";
export type LastingFaultKind =
  | "cli-hangs"
  | "index-race"
  | "build-fails"
  | "quota"
  | "build-pending"
  | "build-stuck"
  | "agent-never-connects"
  | "startup-fails"
  | "slow-deletes"
  | "logged-out";
export type InstantFaultKind = "ssh-dropped" | "token-renewed" | "stopped-underneath" | "deleted-underneath";

export interface GithubFault {
  kind: GithubFaultKind;
  which: GithubCall;
  times: number;
}

export type GithubFaultKind =
  | "drop-before"
  | "drop-after"
  | "bad-gateway"
  | "secondary-limit"
  /** GitHub does the request, and then answers with an error. */
  | "error-after"
  /** GitHub receives the request, and does it after the connection is gone. */
  | "done-late"
  | "refused";

/** Events that affect a parent or its home without ending the parent. */
export type ParentFault =
  /** SIGSTOP, and SIGCONT after `forMs`, as on a machine that sleeps. */
  | { kind: "frozen"; forMs: number }
  /** One of its `coder` processes, or the child on a Session's PTY, gets SIGKILL. */
  | { kind: "child-killed"; which: number }
  /** Another process writes to its store for `forMs`. */
  | { kind: "store-locked"; forMs: number };

export const parentFaultKinds: readonly ParentFault["kind"][] = ["frozen", "child-killed", "store-locked"];

const FAULTS = {
  "bad-gateway": 3,
  "rate-limit": 1,
  "lost-answer": 4,
  "refused-connection": 2,
  "delete-conflict": 2,
  "ssh-refused": 2,
  "ssh-lost": 3,
  "stop-fails": 3,
  "delete-fails": 3,
  "cli-hangs": 2,
  "index-race": 1,
  "build-fails": 2,
  quota: 1,
  "build-pending": 1,
  "build-stuck": 1,
  "agent-never-connects": 1,
  "startup-fails": 1,
  "slow-deletes": 3,
  "logged-out": 2,
  "ssh-dropped": 4,
  "token-renewed": 2,
  "stopped-underneath": 1,
  "deleted-underneath": 2,
} as const satisfies Record<CoderFault["kind"], number>;

export const coderFaultKinds = Object.keys(FAULTS) as CoderFault["kind"][];
export const githubFaultKinds: readonly GithubFaultKind[] = [
  "drop-before",
  "drop-after",
  "bad-gateway",
  "secondary-limit",
  "error-after",
  "done-late",
  "refused",
];

export function drawCoderFault(draw: Draw, size: Size): { at: Moment; fault: CoderFault } {
  const kind = draw.weighted(FAULTS);
  const anyCall = (): Moment => drawCoderMoment(draw, size, "any");
  switch (kind) {
    case "bad-gateway":
    case "rate-limit":
    case "lost-answer":
    case "refused-connection": {
      const which = draw.weighted({ any: 1, create: 2, stop: 2, delete: 2 });
      return {
        at: drawCoderMoment(draw, size, which),
        fault: { kind, which, times: draw.pick([1, 1, 2, 4, 8]) },
      };
    }
    case "delete-conflict":
      return {
        at: drawCoderMoment(draw, size, "delete"),
        fault: { kind, which: "delete", times: draw.int(1, 4) },
      };
    case "ssh-refused":
    case "ssh-lost":
      return { at: drawSshMoment(draw, size), fault: { kind, times: draw.int(1, 4) } };
    case "stop-fails":
    case "delete-fails":
      return { at: anyCall(), fault: { kind, times: draw.int(1, 5) } };
    case "cli-hangs":
      return { at: drawSshMoment(draw, size), fault: { kind, forMs: draw.pick([300, 1_000, 2_000]) } };
    case "ssh-dropped":
      return { at: drawSshMoment(draw, size), fault: { kind } };
    case "index-race":
    case "build-fails":
    case "quota":
    case "build-pending":
    case "build-stuck":
    case "agent-never-connects":
    case "startup-fails":
      return {
        at: drawCoderMoment(draw, size, draw.chance(0.5) ? "create" : "any"),
        fault: { kind, forMs: draw.pick([200, 600, 1_500]) },
      };
    case "slow-deletes":
      return { at: anyCall(), fault: { kind, forMs: draw.pick([800, 2_500]) } };
    case "logged-out":
      return { at: anyCall(), fault: { kind, forMs: draw.pick([50, 400]) } };
    case "token-renewed":
      return { at: anyCall(), fault: { kind } };
    case "stopped-underneath":
    case "deleted-underneath":
      return { at: drawSshMoment(draw, size), fault: { kind } };
  }
}

export function drawGithubFault(draw: Draw, size: Size): { at: Moment; fault: GithubFault } {
  const at = drawGithubMoment(draw, size);
  const kind = draw.weighted({
    "drop-before": 2,
    "drop-after": 4,
    "bad-gateway": 2,
    "secondary-limit": 1,
    "error-after": 2,
    "done-late": 2,
    refused: 1,
  });
  return { at, fault: { kind, which: at.which, times: draw.pick([1, 1, 2, 4]) } };
}

export function drawParentFault(draw: Draw, parent: number, size: Size): { at: Moment; fault: ParentFault } {
  const at = drawSignalMoment(draw, parent, size);
  const kind = draw.weighted({ frozen: 2, "child-killed": 2, "store-locked": 1 });
  switch (kind) {
    case "frozen":
      return { at, fault: { kind, forMs: draw.pick([200, 800, 2_500]) } };
    case "child-killed":
      return { at: drawSshMoment(draw, size), fault: { kind, which: draw.int(0, 7) } };
    case "store-locked":
      return { at, fault: { kind, forMs: draw.pick([300, 1_000, 4_000]) } };
  }
}

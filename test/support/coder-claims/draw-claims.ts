import { createDraw, type Draw } from "../chaos/draw.ts";
import type { AnswerFault } from "../coder/stand-in-model.ts";

/** The events of one small batch's Coder workspaces on a deployment with prebuilds. */
export interface ClaimSchedule {
  number: number;
  /** The number of Coder workspaces that are created at the same time. */
  creates: number;
  /** The number of prebuilds in the pool. If it is less than `creates`, some Coder workspaces are built as usual. */
  pool: number;
  /** The age of a prebuild in milliseconds: from new to older than any lease. */
  prebuildAgeMs: number;
  /** Whether the create names the preset, or leaves the match to the deployment. */
  namesPreset: boolean;
  reinitMs: number;
  shutdownMs: number;
  answers: Omit<AnswerFault, "path">[];
  /** For each create, whether its Coder workspace agent restarts a second time while a command runs. */
  restarts: boolean[];
  failingDeletes: number;
  /** For each create, whether its Coder workspace is kept for inspection, as that of a failed run. */
  keeps: boolean[];
}

const HOUR_MS = 3_600_000;

/** Draws a schedule; the same seed and number produce the same schedule on every machine. */
export function drawClaims(seed: number, number: number): ClaimSchedule {
  const draw = createDraw(seed, number);
  const creates = draw.int(1, 3);
  return {
    number,
    creates,
    pool: draw.int(1, 3),
    prebuildAgeMs: draw.pick([0, HOUR_MS, 5 * HOUR_MS, 72 * HOUR_MS]),
    namesPreset: draw.chance(0.5),
    reinitMs: draw.int(0, 40),
    shutdownMs: draw.int(0, 30),
    answers: Array.from({ length: draw.int(0, 3) }, () => drawAnswer(draw)),
    restarts: Array.from({ length: creates }, () => draw.chance(0.25)),
    failingDeletes: draw.int(0, 2),
    keeps: Array.from({ length: creates }, () => draw.chance(0.4)),
  };
}

function drawAnswer(draw: Draw): ClaimSchedule["answers"][number] {
  const answer = draw.pick([
    "drop" as const,
    { status: 502, html: "<title>Bad Gateway</title>" },
    { status: 429 },
  ]);
  return {
    method: draw.pick(["GET", "POST", "PUT"]),
    times: draw.int(1, 2),
    effect: draw.pick(["before", "after"] as const),
    answer,
  };
}

import type { ScoredEnd } from "../../../test/support/tui-recordings/index.ts";
import type { LabelledSample } from "./label-sample.ts";
import type { TakenSample } from "./play-samples.ts";

/**
 * Returns the ends of Turns with success. A Turn ended one settle time before its success was labelled, because the labels
 * themselves wait for it. A success of an earlier Turn that is still reported is not an end.
 */
export function successEnds(
  recording: string,
  taken: readonly TakenSample<LabelledSample>[],
  settleMs: number,
): ScoredEnd[] {
  return pausesOf(taken).flatMap((pause) => {
    const labelled = pause.find(({ sample }) => tells(sample, "success"));
    if (labelled === undefined || labelled === pause[0]) return [];
    const endMs = labelled.sample.atMs - settleMs;
    const hit = pause.find(
      ({ sample, state }) =>
        sample.atMs >= endMs && state.turn.phase === "ready" && state.lastTurn.result === "success",
    );
    const latencyMs = hit === undefined ? null : Math.round(hit.sample.atMs - endMs);
    return [{ recording, result: "success", endMs, latencyMs }];
  });
}

/** Returns the series of consecutive samples that are labelled ready. */
function pausesOf(taken: readonly TakenSample<LabelledSample>[]): TakenSample<LabelledSample>[][] {
  const pauses: TakenSample<LabelledSample>[][] = [[]];
  for (const one of taken) {
    if (one.sample.accepted["turn.phase"]?.includes("ready") === true) pauses.at(-1)?.push(one);
    else if (pauses.at(-1)?.length !== 0) pauses.push([]);
  }
  return pauses;
}

function tells({ accepted }: LabelledSample, result: string): boolean {
  return accepted["last_turn.result"]?.includes(result) === true;
}

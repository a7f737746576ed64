import type { Prediction } from "./play.ts";
import type { TrackerData } from "./project.ts";

/** How well the marked duplicates were found. Rates are between 0 and 1. */
export interface Score {
  duplicateQueries: number;
  recallAt1: number;
  recallAt5: number;
  recallAt10: number;
  meanReciprocalRank: number;
}

/** Scores the predictions; any earlier issue of the same cluster is a hit. */
export function scoreTracker({ queries }: TrackerData, predictions: readonly Prediction[]): Score {
  const results = new Map(predictions.map((prediction) => [prediction.query, prediction.results]));
  const ranks = queries
    .filter(({ duplicatesOf }) => duplicatesOf.length > 0)
    .map(({ id, duplicatesOf }) => {
      const truth = new Set(duplicatesOf);
      return (results.get(id) ?? []).findIndex((found) => truth.has(found)) + 1;
    });
  const rate = (hits: number): number => (ranks.length === 0 ? 0 : hits / ranks.length);
  const within = (limit: number): number => rate(ranks.filter((rank) => rank > 0 && rank <= limit).length);
  return {
    duplicateQueries: ranks.length,
    recallAt1: within(1),
    recallAt5: within(5),
    recallAt10: within(10),
    meanReciprocalRank: rate(ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0)),
  };
}

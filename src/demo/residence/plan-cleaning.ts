/** The facts about one entry of the directory that holds the demos. */
export interface DemoFact {
  name: string;
  state:
    | "running"
    | "finished"
    /** Its process is proven dead and it did not finish. */
    | "abandoned"
    /** No demo of ours, or nobody can tell: left alone. */
    | "unknown";
}

/** How many finished demos keep their recordings. */
export const KEPT_DEMOS = 3;

/** Names to remove, oldest first: the abandoned ones, and finished ones beyond the latest. Names sort by time. */
export function planCleaning(facts: readonly DemoFact[]): string[] {
  const named = (state: DemoFact["state"]) =>
    facts
      .filter((fact) => fact.state === state)
      .map((fact) => fact.name)
      .sort();
  return [...named("abandoned"), ...named("finished").slice(0, -KEPT_DEMOS)];
}

/** The facts about one entry of the directory that holds the demos. */
export interface DemoFact {
  name: string;
  state:
    | "running"
    | "finished"
    /** Its process is proven dead and it did not finish. */
    | "abandoned"
    /** The directory is not a demo directory, or its state is unknown: it is left alone. */
    | "unknown";
}

/** The number of finished demos whose recordings are kept. */
export const KEPT_DEMOS = 3;

/** Returns the names to remove, oldest first: abandoned demos, and finished ones except the latest. Names sort by time. */
export function planCleaning(facts: readonly DemoFact[]): string[] {
  const named = (state: DemoFact["state"]) =>
    facts
      .filter((fact) => fact.state === state)
      .map((fact) => fact.name)
      .sort();
  return [...named("abandoned"), ...named("finished").slice(0, -KEPT_DEMOS)];
}

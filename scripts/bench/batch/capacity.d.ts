/** A deployment and a backlog, as far as capacity goes. Times are milliseconds, rates per minute. */
export interface CapacityScenario {
  issues: number;
  /** Parents at work at once, each with `cap` Triage Runs at a time. */
  shards: number;
  cap: number;
  buildMs: number;
  runMs: number;
  deleteMs: number;
  /** Builds and deletions the deployment's provisioners do at once. */
  provisioners: number;
  coderRequestsPerMinute: number;
  githubRequestsPerMinute: number;
  /** Comments and other new content of one account. */
  githubContentPerMinute: number;
}
export interface CapacityResult {
  durationMs: number;
  /** Triage Runs done in waves, with nothing else in the way. */
  idealMs: number;
  /** Share of the whole duration that each resource was at its limit, 0 to 1. */
  utilisation: Readonly<Record<Resource, number>>;
  /** What everything else waits for. */
  saturatedFirst: Resource;
}
export type Resource = "slots" | "provisioners" | "coder-requests" | "github-requests" | "github-content";
/** What one Triage Run asks for, counted on the program itself. */
export declare const REQUESTS_PER_ISSUE: {
  readonly githubReads: 4;
  readonly githubWrites: 4;
  readonly githubContent: 1;
  readonly coder: 12;
};
/** A discrete-event simulation: every Triage Run goes through the same stages and waits for what it shares with the others. */
export declare function simulateCapacity(scenario: CapacityScenario): CapacityResult;

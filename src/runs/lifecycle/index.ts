export { type ActivitySignal, Lifecycle } from "./lifecycle.ts";
export type { ObservedRun, PullRequestObservation, PullRequestObserver } from "./pull-request-observer.ts";

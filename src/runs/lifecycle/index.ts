export { type ActivitySignal, Lifecycle } from "./lifecycle.ts";
export type { PullRequestObservation, PullRequestObserver } from "./pull-request-observer.ts";

export { type ActivitySignal, Lifecycle } from "./lifecycle.ts";
export { doubtMassDeath } from "./mass-death.ts";
export type { PullRequestObservation, PullRequestObserver } from "./pull-request-observer.ts";

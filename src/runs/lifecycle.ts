import type { Clock } from "agent-tty/kit";
import type { ActivityState } from "./activity.ts";
import { type Nudge, nudgeText, planNudges } from "./nudges.ts";
import type { LedgerOf } from "./run-ledger.ts";
import type { InputGate } from "./input-gate.ts";
import type { LifecycleEvent } from "./triage-run-facts.ts";
import type { PullRequestFacts } from "./pull-request-facts.ts";
import type { PullRequestObservation } from "./pull-request-observer.ts";

/** An activity signal of a Triage Agent, from a hook or the tracker. An invalid signal changes nothing. */
export type ActivitySignal = { type: "valid"; activity: ActivityState } | { type: "invalid" };

/** The only writer of one run's lifecycle facts, and the only sender of nudges to its Triage Agent (O11). */
export class Lifecycle {
  readonly #ledger: LedgerOf<LifecycleEvent>;
  readonly #clock: Clock;

  constructor(ledger: LedgerOf<LifecycleEvent>, clock: Clock) {
    this.#ledger = ledger;
    this.#clock = clock;
  }

  /** Applies facts reported by the provider, the Session's host or the batch parent. */
  report(...events: readonly LifecycleEvent[]): void {
    this.#ledger.apply(...events);
  }

  /** Applies an activity signal. `exited` also terminates the run (O14). */
  signal(signal: ActivitySignal): void {
    if (signal.type === "invalid") return;
    const { activity } = signal;
    const atMs = this.#clock.nowMs();
    if (activity === "exited") this.report({ type: "triage-agent-exited", exitCode: null, atMs });
    else this.report({ type: "activity-signalled", activity, atMs });
  }

  /** Marks the run as terminated before anything is torn down, so that no later observation revives it (O18). */
  markTerminated(): void {
    this.report({ type: "terminated", atMs: this.#clock.nowMs() });
  }

  /**
   * Records the observed pull requests, then sends the live run's Triage Agent the nudges that are due (O15, O16). A
   * nudge that the gate refuses is recorded as refused and retried at the next observation. Returns the nudges that
   * were sent.
   */
  async observePullRequests(
    observation: PullRequestObservation,
    gate: InputGate,
    signal: AbortSignal,
  ): Promise<Nudge[]> {
    if (observation.type === "failed") return [];
    const pullRequests = this.#known(observation);
    this.report({ type: "pull-requests-observed", pullRequests, atMs: this.#clock.nowMs() });
    const sent: Nudge[] = [];
    for (const nudge of planNudges(this.#ledger.facts)) {
      const result = await gate.send(nudgeText(nudge), signal);
      const atMs = this.#clock.nowMs();
      if (result.type === "sent") {
        this.report({ type: "nudge-sent", nudge, atMs });
        sent.push(nudge);
      } else this.report({ type: "nudge-refused", nudge, reason: result.reason, atMs });
    }
    return sent;
  }

  #known(observation: Exclude<PullRequestObservation, { type: "failed" }>): readonly PullRequestFacts[] {
    if (observation.type === "observed") return observation.pullRequests;
    const { pullRequests, unread } = observation;
    const kept = this.#ledger.facts.pullRequests.filter(({ number }) => unread.includes(number));
    return [...pullRequests, ...kept];
  }
}

import { isDeepStrictEqual } from "node:util";
import type { Clock } from "agent-tty/kit";
import type { ChosenAnswer } from "../../tui/index.ts";
import { Lifecycle } from "../lifecycle.ts";
import { type PullRequestObservation } from "../pull-request-observer.ts";
import type { MonitorFact } from "../advance-monitor.ts";
import { startMonitor } from "../start-monitor.ts";
import { type LedgerOf, type LedgerPorts, RunLedger } from "../run-ledger.ts";
import { admission, type SettlementEvidence } from "../run-state.ts";
import type { RunnerVerdict } from "../runner-verdict.ts";
import { closedGate, type SendResult } from "../input-gate.ts";
import { type OwnerEvent, type TriageRunFacts, triageRunKey } from "../triage-run-facts.ts";
import { type ActiveRunGuidance, activeRunGuidance } from "./guidance.ts";
import { type Observer, type ObserverMode, ObserverSlot, type RunUpdate } from "./observers.ts";
import { probeRunner, type Runner } from "./runner.ts";
import { type RunView, viewRun } from "./run-view.ts";

/** The reasons of a stop. The values are in kebab-case, because they become the reason of the run's end. */
export type StopReason = "stopped" | "killed" | "pull-request-merged";

export interface OwnerPorts extends LedgerPorts {
  clock: Clock;
  /** Returns the reason that the run's stop signal aborts with. */
  stopError: (reason: StopReason) => Error;
}

export type AdmissionResult = { type: "admitted" } | { type: "rejected"; guidance: ActiveRunGuidance };

/**
 * The single owner of one issue's active run: admission, observers, stop and settlement (C3). Only the owner returns
 * the run to idle, and only on evidence (C18).
 */
export class RunOwner {
  readonly key: string;
  readonly lifecycle: Lifecycle;
  /** See `RunService.saveAgain`. */
  readonly saveAgain: () => void;
  /** Runs a synchronous action. All its reports on this run count as one change, which is written once and announced once. */
  readonly together: (action: () => void) => void;
  readonly #ports: OwnerPorts;
  readonly #ledger: LedgerOf<OwnerEvent>;
  readonly #stop = new AbortController();
  readonly #observers = new Set<ObserverSlot>();
  #runner: Runner | null = null;
  #monitor: Disposable | null = null;
  #shown: RunView;

  /** `onEnded` is called when the end of the run has been written. */
  constructor(facts: TriageRunFacts, ports: OwnerPorts, onEnded: () => void) {
    this.key = triageRunKey(facts);
    this.#ports = ports;
    const ledger = new RunLedger(facts, ports);
    this.#ledger = ledger;
    this.saveAgain = () => ledger.saveAgain();
    this.together = (action) => ledger.together(action);
    this.lifecycle = new Lifecycle(ledger, ports.clock);
    this.#shown = this.view;
    ledger.onChange(() => {
      this.#onChange();
      if (this.isEnded && ledger.isSaved) onEnded();
    });
  }

  get facts(): TriageRunFacts {
    return this.#ledger.facts;
  }

  get view(): RunView {
    return viewRun(this.facts, this.#ports.clock);
  }

  /** Aborts when this run, rather than the whole batch, is stopped or killed. */
  get stopSignal(): AbortSignal {
    return this.#stop.signal;
  }

  get isEnded(): boolean {
    return this.facts.progress.phase === "settled";
  }

  /**
   * Attaches the Triage Agent's runner while its Session is open; disposing detaches it. The monitor watches an active prompt
   * while a runner is attached.
   */
  attachRunner(runner: Runner): Disposable {
    this.#runner = runner;
    this.#watch();
    return { [Symbol.dispose]: () => this.#detachRunner(runner) };
  }

  /** Admits a prompt, or rejects it with guidance when another prompt is active (C12). */
  admit(): AdmissionResult {
    if (admission(this.facts.runState).type === "closed")
      return { type: "rejected", guidance: activeRunGuidance(this.facts) };
    this.#ledger.apply({ type: "prompt-admitted", atMs: this.#ports.clock.nowMs() });
    this.#watch();
    return { type: "admitted" };
  }

  /** Takes a fact from the monitor. A fact alone never settles the run; only a death that the runner then proves does. */
  async take(fact: MonitorFact): Promise<void> {
    if (this.facts.runState.state === "idle") return;
    switch (fact.type) {
      case "running-delta":
        this.#heard(fact);
        return;
      case "max-runtime-reached":
        if (this.facts.runState.state === "running")
          this.#ledger.apply({ type: "observation-window-ended", atMs: fact.atMs });
        return;
      case "idle-after-output":
      case "no-visible-output":
        if (this.#runner !== null) this.judge(await probeRunner(this.#runner.probes, this.#ports.clock));
        return;
      default:
        fact satisfies never;
    }
  }

  /** Records the runner's verdict (C5). Only `dead` settles the prompt. */
  judge(verdict: RunnerVerdict | "unknown"): void {
    if (this.facts.runState.state === "idle") return;
    this.#ledger.apply({ type: "runner-judged", verdict });
    if (verdict === "blocked") this.lifecycle.signal({ type: "valid", activity: "waiting_input" });
    if (verdict !== "dead") return;
    const atMs = this.#ports.clock.nowMs();
    this.lifecycle.report({ type: "probed", runtime: "dead", process: "dead", atMs });
    this.settle("proven-death");
  }

  /** Records the explicit final report, which is the reply. The run stays live until its true end (C16). */
  reportFinal(): void {
    if (this.facts.runState.state === "idle") return;
    this.#ledger.apply({ type: "final-report-observed", atMs: this.#ports.clock.nowMs() });
  }

  /** Ends the prompt on evidence. Does nothing when the prompt is already settled. */
  settle(evidence: SettlementEvidence): void {
    if (this.facts.runState.state === "idle") return;
    this.#unwatch();
    this.#ledger.apply({ type: "prompt-settled", evidence });
    this.#publish({ type: "settled", evidence, view: this.view });
  }

  /** Stops the run through its own signal (C17). The prompt is settled when its Triage Agent has stopped. */
  async stop(reason: StopReason = "stopped"): Promise<{ type: "stopping" | "no-active-run" }> {
    if (this.isEnded) return { type: "no-active-run" };
    this.#stop.abort(this.#ports.stopError(reason));
    await this.#runner?.stopped();
    this.settle("stop");
    return { type: "stopping" };
  }

  /** Marks the run as terminated, then tears it down (O18). */
  async kill(): Promise<{ type: "stopping" | "no-active-run" }> {
    if (this.isEnded) return { type: "no-active-run" };
    this.lifecycle.markTerminated();
    return this.stop("killed");
  }

  /** Sends nudges through the runner's gate, and ends the run when a pull request was merged (O15, O16). */
  async observePullRequests(observation: PullRequestObservation, signal: AbortSignal): Promise<void> {
    const wasTerminated = this.facts.activity.isTerminated;
    await this.lifecycle.observePullRequests(observation, this.#runner?.gate ?? closedGate, signal);
    if (this.facts.activity.isTerminated && !wasTerminated) await this.stop("pull-request-merged");
  }

  send(text: string, signal: AbortSignal): Promise<SendResult> {
    return (this.#runner?.gate ?? closedGate).send(text, signal);
  }

  answer(answer: ChosenAnswer, signal: AbortSignal): Promise<SendResult> {
    return (this.#runner?.gate ?? closedGate).answer(answer, signal);
  }

  /** Adds an observer, which never affects the run (C13, C17). Returns null when the run has ended. */
  observe(observer: Observer, mode: ObserverMode): ObserverSlot | null {
    if (this.isEnded) return null;
    const slot = new ObserverSlot(observer, mode, {
      clock: this.#ports.clock,
      onRemoved: () => void this.#observers.delete(slot),
    });
    this.#observers.add(slot);
    slot.offer({ type: "changed", view: this.view });
    return slot;
  }

  #heard(fact: MonitorFact & { type: "running-delta" }): void {
    this.#ledger.apply({ type: "report-observed", atMs: fact.atMs });
    // New output ends an inferred wait. A Triage Agent that can signal reports the end of a wait itself, and its output does not
    // count: a dialog that appears is output, too.
    const { state, isSignalCapable } = this.facts.activity;
    if (state === "waiting_input" && !isSignalCapable)
      this.lifecycle.signal({ type: "valid", activity: "active" });
    this.#publish({ type: "output", text: fact.text, view: this.view });
  }

  /** Informs observers only about changes that a person can see, not about new timestamps. */
  #onChange(): void {
    const { view } = this;
    if (isDeepStrictEqual(view, this.#shown)) return;
    this.#shown = view;
    this.#publish({ type: this.isEnded ? "ended" : "changed", view });
    if (this.isEnded) this.#unwatch();
  }

  #publish(update: RunUpdate): void {
    for (const slot of this.#observers) slot.offer(update);
  }

  #watch(): void {
    const { runState } = this.facts;
    if (this.#runner === null || runState.state === "idle" || this.#monitor !== null) return;
    const { clock } = this.#ports;
    this.#monitor = startMonitor(this.#runner.screen, runState.startedAtMs, {
      clock,
      tell: (fact) => void this.take(fact),
      isWatched: () => [...this.#observers].some(({ mode }) => mode.type !== "passive-final"),
    });
  }

  #unwatch(): void {
    this.#monitor?.[Symbol.dispose]();
    this.#monitor = null;
  }

  #detachRunner(runner: Runner): void {
    if (this.#runner !== runner) return;
    this.#runner = null;
    this.#unwatch();
  }
}

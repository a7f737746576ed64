import { isDeepStrictEqual } from "node:util";
import type { Clock } from "agent-tty/kit";
import { Lifecycle, type PullRequestObservation } from "../lifecycle/index.ts";
import { type MonitorFact, type MonitorSettings, startMonitor } from "../monitor/index.ts";
import { type LedgerOf, type LedgerPorts, RunLedger } from "../run-ledger.ts";
import { admission, type SettlementEvidence } from "../run-state.ts";
import type { RunnerVerdict } from "../runner-verdict.ts";
import { closedGate, type SendResult } from "../input-gate.ts";
import { type OwnerEvent, type TriageRunFacts, triageRunKey } from "../triage-run-facts.ts";
import { type ActiveRunGuidance, activeRunGuidance } from "./guidance.ts";
import { type Observer, type ObserverMode, ObserverSlot, type RunUpdate } from "./observers.ts";
import { probeRunner, type Runner } from "./runner.ts";
import { type RunView, viewRun } from "./run-view.ts";

/** Kebab-case: it becomes the reason of the run's end. */
export type StopReason = "stopped" | "killed" | "pull-request-merged";

export interface OwnerPorts extends LedgerPorts {
  clock: Clock;
  monitor: MonitorSettings;
  /** The reason that the run's stop signal aborts with. */
  stopError: (reason: StopReason) => Error;
}

export type AdmissionResult = { type: "admitted" } | { type: "rejected"; guidance: ActiveRunGuidance };

/**
 * C3: the one owner of one issue's active run: admission, observers, stop and settlement. Only it returns the run to
 * idle, and only for evidence (C18).
 */
export class RunOwner {
  readonly key: string;
  readonly lifecycle: Lifecycle;
  /** See `RunService.saveAgain`. */
  readonly saveAgain: () => void;
  readonly #ports: OwnerPorts;
  readonly #ledger: LedgerOf<OwnerEvent>;
  readonly #stop = new AbortController();
  readonly #observers = new Set<ObserverSlot>();
  #runner: Runner | null = null;
  #monitor: Disposable | null = null;
  #shown: RunView;

  constructor(facts: TriageRunFacts, ports: OwnerPorts) {
    this.key = triageRunKey(facts);
    this.#ports = ports;
    const ledger = new RunLedger(facts, ports);
    this.#ledger = ledger;
    this.saveAgain = () => ledger.saveAgain();
    this.lifecycle = new Lifecycle(ledger, ports.clock);
    this.#shown = this.view;
    ledger.onChange(() => this.#onChange());
  }

  get facts(): TriageRunFacts {
    return this.#ledger.facts;
  }

  get view(): RunView {
    return viewRun(this.facts, this.#ports.clock);
  }

  /** Aborted by a stop or kill of this run alone. */
  get stopSignal(): AbortSignal {
    return this.#stop.signal;
  }

  get isEnded(): boolean {
    return this.facts.progress.phase === "settled";
  }

  /** Who runs the Triage Agent, from its Session's opening to its close. An active prompt is watched from then on. */
  attachRunner(runner: Runner): Disposable {
    this.#runner = runner;
    this.#watch();
    return { [Symbol.dispose]: () => this.#detachRunner(runner) };
  }

  /** C12: a second prompt is rejected, with guidance. */
  admit(): AdmissionResult {
    if (admission(this.facts.runState).type === "closed")
      return { type: "rejected", guidance: activeRunGuidance(this.facts) };
    this.#ledger.apply({ type: "prompt-admitted", atMs: this.#ports.clock.nowMs() });
    this.#watch();
    return { type: "admitted" };
  }

  /** What the monitor saw. None of it settles the run; a death that the runner then proves does. */
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

  /** C5: what the runner found out. Only `dead` is evidence for the end of the prompt. */
  judge(verdict: RunnerVerdict | "unknown"): void {
    if (this.facts.runState.state === "idle") return;
    this.#ledger.apply({ type: "runner-judged", verdict });
    if (verdict === "blocked") this.lifecycle.signal({ type: "valid", activity: "waiting_input" });
    if (verdict !== "dead") return;
    const atMs = this.#ports.clock.nowMs();
    this.lifecycle.report({ type: "probed", runtime: "dead", process: "dead", atMs });
    this.settle("proven-death");
  }

  /** C16: the explicit final report is the reply, and the run stays live until its true end. */
  reportFinal(): void {
    if (this.facts.runState.state === "idle") return;
    this.#ledger.apply({ type: "final-report-observed", atMs: this.#ports.clock.nowMs() });
  }

  /** The prompt's end, for evidence. A prompt that is settled already stays as it was settled. */
  settle(evidence: SettlementEvidence): void {
    if (this.facts.runState.state === "idle") return;
    this.#unwatch();
    this.#ledger.apply({ type: "prompt-settled", evidence });
    this.#publish({ type: "settled", evidence, view: this.view });
  }

  /** C17: ends the run by its own signal. The prompt is settled when its Triage Agent has truly stopped. */
  async stop(reason: StopReason = "stopped"): Promise<{ type: "stopping" | "no-active-run" }> {
    if (this.isEnded) return { type: "no-active-run" };
    this.#stop.abort(this.#ports.stopError(reason));
    await this.#runner?.stopped();
    this.settle("stop");
    return { type: "stopping" };
  }

  /** O18: terminated first, then torn down. */
  async kill(): Promise<{ type: "stopping" | "no-active-run" }> {
    if (this.isEnded) return { type: "no-active-run" };
    this.lifecycle.markTerminated();
    return this.stop("killed");
  }

  /** O15, O16: nudges go through the runner's gate; a merge ends the run. */
  async observePullRequests(observation: PullRequestObservation, signal: AbortSignal): Promise<void> {
    const wasTerminated = this.facts.activity.isTerminated;
    await this.lifecycle.observePullRequests(observation, this.#runner?.gate ?? closedGate, signal);
    if (this.facts.activity.isTerminated && !wasTerminated) await this.stop("pull-request-merged");
  }

  send(text: string, signal: AbortSignal): Promise<SendResult> {
    return (this.#runner?.gate ?? closedGate).send(text, signal);
  }

  /** C13, C17: watching changes nothing, whatever becomes of the watcher. null: there is no active run to watch. */
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
    // What moves again no longer waits, unless it can tell that for itself: a dialog also moves when it comes.
    const { state, isSignalCapable } = this.facts.activity;
    if (state === "waiting_input" && !isSignalCapable)
      this.lifecycle.signal({ type: "valid", activity: "active" });
    this.#publish({ type: "output", text: fact.text, view: this.view });
  }

  /** Observers are told what a person can see, and nothing of a fact that only its time changed. */
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
    const { clock, monitor: settings } = this.#ports;
    this.#monitor = startMonitor(this.#runner.screen, runState.startedAtMs, {
      clock,
      settings,
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

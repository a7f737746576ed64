import type { Clock } from "agent-tty/kit";
import { BoundedCache } from "./bounded-cache.ts";

export type ParentState = "alive" | "dead" | "unknown";

/** The time, in milliseconds, for which an answer about a living parent is reused. */
const FRESH_MS = 1_000;
const KEPT = 256;

/** Determines whether the parents of batches are alive. The answer "dead" is final, so it is remembered. */
export class ParentStates {
  readonly #clock: Clock;
  readonly #ask: (parent: string) => Promise<ParentState>;
  readonly #asked = new BoundedCache<ParentState>(KEPT);
  readonly #dead = new Set<string>();

  constructor(clock: Clock, ask: (parent: string) => Promise<ParentState>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /** Returns "dead" for a finished batch, because none of its runs is in progress. */
  async of({ parent, finishedAtMs }: { parent: string; finishedAtMs: number | null }): Promise<ParentState> {
    if (finishedAtMs !== null || this.#dead.has(parent)) return "dead";
    const moment = Math.floor(this.#clock.monotonicMs() / FRESH_MS);
    const state = await this.#asked.get(`${parent} ${moment}`, () => this.#ask(parent));
    if (state === "dead") this.#remember(parent);
    return state;
  }

  #remember(parent: string): void {
    if (this.#dead.size >= KEPT) this.#dead.clear();
    this.#dead.add(parent);
  }
}

import type { AssistantTurn } from "../../test/support/model-server/index.ts";
import type { Exchange } from "./scenario.ts";

/**
 * Answers requests with the turns of the exchange that belongs to the latest prompt in the conversation: one turn per request,
 * then the last turn again.
 */
export class Answering {
  readonly #exchanges: readonly Exchange[];
  readonly #given = new Map<Exchange, number>();

  constructor(exchanges: readonly Exchange[]) {
    this.#exchanges = exchanges;
  }

  isPrompt(text: string): boolean {
    return this.#exchanges.some(({ prompt }) => prompt === text.trim());
  }

  turn(isSaid: (prompt: string) => boolean): AssistantTurn {
    const exchange = this.#exchanges.findLast(({ prompt }) => isSaid(prompt));
    if (exchange === undefined) throw new Error("the conversation holds none of the scenario's prompts");
    const given = this.#given.get(exchange) ?? 0;
    this.#given.set(exchange, given + 1);
    return exchange.turns[Math.min(given, exchange.turns.length - 1)] ?? exchange.turns[0];
  }
}

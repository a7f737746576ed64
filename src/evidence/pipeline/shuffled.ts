import type { Ids } from "agent-tty/kit";

/** Returns the items in random order, by the injected randomness (Fisher–Yates shuffle). */
export function shuffled<T>(items: readonly T[], ids: Ids): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Number.parseInt(ids.hex(4), 16) % (last + 1);
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}

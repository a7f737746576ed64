/** Always the same order and colours, from what is best for the queue to what is worst. */
const ORDER = [
  "ready-for-agent",
  "ready-for-human",
  "needs-info",
  "wontfix",
  "needs-triage",
  "requeued",
  "skipped",
  "locked",
  "failed",
];

export function outcomesInOrder(names: readonly string[]): string[] {
  const rank = (name: string): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return [...new Set(names)].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

export function outcomeClass(name: string): string {
  return `series-${ORDER.includes(name) ? name : "other"}`;
}

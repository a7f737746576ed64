/** The fixed order of outcomes, from the best to the worst for the queue. */
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

/** Returns the outcomes in the fixed order; unknown ones come last. */
export function outcomesInOrder(names: readonly string[]): string[] {
  const rank = (name: string): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return [...new Set(names)].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

/** Returns the CSS class of an outcome's colour. */
export function outcomeClass(name: string): string {
  return `series-${ORDER.includes(name) ? name : "other"}`;
}

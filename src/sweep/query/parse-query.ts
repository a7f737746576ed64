import type { Condition, Query } from "./query.ts";

export type ParsedQuery =
  | { type: "query"; query: Query }
  | { type: "refused"; term: string; expected: string };

const DAY_MS = 24 * 3_600_000;
const TEXT_QUALIFIERS = ["label", "author", "milestone"] as const;
const RANGE_QUALIFIERS = ["created", "updated", "comments", "reactions", "number"] as const;
/** Qualifiers that every sweep applies anyway. */
const IMPLIED = new Set(["is:issue", "is:open", "state:open", "type:issue"]);

/**
 * GitHub's own search terms, as far as the issues themselves tell whether they hold: they are compared here, because
 * GitHub's search lags behind and ends at 1,000 results. A term that is not known is refused, never left out.
 */
export function parseQuery(text: string): ParsedQuery {
  const conditions: Condition[] = [];
  for (const term of termsOf(text)) {
    const not = term.startsWith("-");
    const positive = not ? term.slice(1) : term;
    if (IMPLIED.has(positive) && !not) continue;
    const condition = conditionOf(positive, not);
    if (typeof condition === "string") return { type: "refused", term, expected: condition };
    conditions.push(condition);
  }
  return { type: "query", query: conditions };
}

/** Separated by blanks; quotes keep blanks. */
function termsOf(text: string): string[] {
  return [...text.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([term]) => term);
}

function conditionOf(term: string, not: boolean): Condition | string {
  const at = term.indexOf(":");
  const name = at === -1 ? "" : term.slice(0, at).toLowerCase();
  const value = term.slice(at + 1).replaceAll('"', "");
  if (at === -1) return { type: "word", value: value.toLowerCase(), not };
  if (name === "no") {
    if (value === "label" || value === "milestone") return { type: "no", value, not };
    return "no:label or no:milestone";
  }
  if (name === "title") return { type: "title", value: value.toLowerCase(), not };
  const text = TEXT_QUALIFIERS.find((one) => one === name);
  if (text !== undefined)
    return value === "" ? `${name}:NAME` : { type: text, value: value.toLowerCase(), not };
  const ranged = RANGE_QUALIFIERS.find((one) => one === name);
  if (ranged === undefined)
    return `one of ${[...TEXT_QUALIFIERS, ...RANGE_QUALIFIERS, "title", "no"].map((one) => `${one}:`).join(", ")}, or a word`;
  const isTime = ranged === "created" || ranged === "updated";
  const range = rangeOf(value, isTime ? timeOf : countOf, isTime ? DAY_MS - 1 : 0);
  if (range === null)
    return isTime
      ? `${name}:<2024-01-31, ${name}:>=2024-01-31 or ${name}:2023-01-01..2024-01-31`
      : `${name}:>5, ${name}:<=5 or ${name}:5..10`;
  return { type: ranged, ...range, not };
}

/** `width`: what a single value spans, such as a day. */
function rangeOf(
  text: string,
  read: (text: string) => number | null,
  width: number,
): { from: number; to: number } | null {
  const [, low, high] = /^(.+)\.\.(.+)$/.exec(text) ?? [];
  if (low !== undefined && high !== undefined) {
    const from = low === "*" ? Number.NEGATIVE_INFINITY : read(low);
    const to = high === "*" ? Number.POSITIVE_INFINITY : read(high);
    return from === null || to === null ? null : { from, to: to + width };
  }
  const [, sign = "", rest = ""] = /^(>=|<=|>|<)?(.+)$/.exec(text) ?? [];
  const value = read(rest);
  if (value === null) return null;
  switch (sign) {
    case ">":
      return { from: value + width + 1, to: Number.POSITIVE_INFINITY };
    case ">=":
      return { from: value, to: Number.POSITIVE_INFINITY };
    case "<":
      return { from: Number.NEGATIVE_INFINITY, to: value - 1 };
    case "<=":
      return { from: Number.NEGATIVE_INFINITY, to: value + width };
    default:
      return { from: value, to: value + width };
  }
}

function timeOf(text: string): number | null {
  const ms = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

function countOf(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

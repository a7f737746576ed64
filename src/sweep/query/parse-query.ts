import type { Condition, Query } from "./query.ts";

export type ParsedQuery =
  | { type: "query"; query: Query }
  | { type: "refused"; term: string; expected: string };

const DAY_MS = 24 * 3_600_000;
const TEXT_QUALIFIERS = ["label", "author", "milestone"] as const;
const RANGE_QUALIFIERS = ["created", "updated", "comments", "reactions", "number"] as const;
/** Qualifiers that have no effect, because every sweep applies them in any case. */
const IMPLIED = new Set(["is:issue", "is:open", "state:open", "type:issue"]);

/**
 * Returns the conditions of those of GitHub's search terms that can be decided from the issues themselves. They are evaluated here,
 * because GitHub's search lags behind and ends at 1,000 results. An unknown term is refused, never ignored.
 */
export function parseQuery(text: string): ParsedQuery {
  const conditions: Condition[] = [];
  if (text.split('"').length % 2 === 0) {
    const start = text.lastIndexOf(" ", text.lastIndexOf('"')) + 1;
    return { type: "refused", term: text.slice(start), expected: "a closing quote" };
  }
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

/** Returns the terms of a text, which is split at spaces. Spaces in quotes are kept. */
function termsOf(text: string): string[] {
  return [...text.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([term]) => term);
}

function conditionOf(term: string, not: boolean): Condition | string {
  const at = term.indexOf(":");
  const name = at === -1 ? "" : term.slice(0, at).toLowerCase();
  const raw = term.slice(at + 1);
  const exact = raw.replaceAll('"', "");
  const value = exact.toLowerCase();
  if (/^(?:OR|AND|NOT)$|^\(/.test(term))
    return "terms without OR, AND, NOT and parentheses: all of them have to hold";
  if (at === -1) return { type: "word", value, not };
  switch (name) {
    case "no":
      return value === "label" || value === "milestone"
        ? { type: "no", value, not }
        : "no:label or no:milestone";
    case "title":
      return value === "" ? "title:WORD" : { type: "title", value, not };
    case "label": {
      const anyOf = labelsOf(raw);
      return anyOf.some(isNoName) ? "label:NAME or label:NAME,NAME" : { type: "label", anyOf, not };
    }
    case "author":
      // `@me` and `app/name` are GitHub's names for logins that no issue shows.
      return /^[\w-]+(?:\[bot\])?$/.test(value) ? { type: "author", value, not } : "author:LOGIN";
    case "milestone":
      return isNoName(value) ? "milestone:NAME" : { type: "milestone", value, not };
    default:
      return rangeCondition(name, exact, not);
  }
}

/** Returns the names of a label term, which is split at commas, which mean "or". Commas in quotes are kept. */
function labelsOf(raw: string): string[] {
  const parts = raw.matchAll(/(?:^|,)((?:[^,"]|"[^"]*")*)/g);
  return [...parts].map(([, part = ""]) => part.replaceAll('"', "").toLowerCase());
}

function isNoName(value: string): boolean {
  return value === "" || value === "*";
}

function rangeCondition(name: string, value: string, not: boolean): Condition | string {
  const ranged = RANGE_QUALIFIERS.find((one) => one === name);
  if (ranged === undefined)
    return `one of ${[...TEXT_QUALIFIERS, ...RANGE_QUALIFIERS, "title", "no"].map((one) => `${one}:`).join(", ")}, or a word`;
  const isTime = ranged === "created" || ranged === "updated";
  const range = rangeOf(value, isTime ? timeOf : countOf);
  if (range === null)
    return isTime
      ? `${name}:<2024-01-31, ${name}:>=2024-01-31 or ${name}:2023-01-01..2024-01-31`
      : `${name}:>5, ${name}:<=5 or ${name}:5..10`;
  return { type: ranged, ...range, not };
}

/** An inclusive range of times or numbers. A day is the range from its first to its last millisecond. */
interface Span {
  from: number;
  to: number;
}

function rangeOf(text: string, read: (text: string) => Span | null): Span | null {
  const everything: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  const [, low, high] = /^(.+)\.\.(.+)$/.exec(text) ?? [];
  if (low !== undefined && high !== undefined) {
    const first = low === "*" ? everything : read(low);
    const last = high === "*" ? everything : read(high);
    return first === null || last === null || first.from > last.to ? null : { from: first.from, to: last.to };
  }
  const [, sign = "", rest = ""] = /^(>=|<=|>|<)?(.+)$/.exec(text) ?? [];
  const span = read(rest);
  if (span === null) return null;
  switch (sign) {
    case ">":
      return { ...everything, from: span.to + 1 };
    case ">=":
      return { ...everything, from: span.from };
    case "<":
      return { ...everything, to: span.from - 1 };
    case "<=":
      return { ...everything, to: span.to };
    default:
      return span;
  }
}

function timeOf(text: string): Span | null {
  const [, time] = /^\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?$/.exec(text) ?? [null];
  const from = time === null ? Number.NaN : Date.parse(text);
  if (Number.isNaN(from)) return null;
  return { from, to: time === undefined ? from + DAY_MS - 1 : from };
}

function countOf(text: string): Span | null {
  return /^\d{1,9}$/.test(text) ? { from: Number(text), to: Number(text) } : null;
}

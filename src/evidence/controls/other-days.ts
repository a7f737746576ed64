const DAY_MS = 24 * 60 * 60 * 1_000;
const EARLIEST_MS = Date.UTC(1975);
const MAX_DAYS = 3;

/** A span of time that a script names. */
interface Named {
  readonly fromMs: number;
  readonly toMs: number;
}

/** `2025-01-31`, `2025/1/31`, `20250131` or `new Date(2025, 0, 31)`. */
const DATE = /(?<![\d.])((?:19[7-9]|20\d)\d)([-/]?)(\d\d?)\2(\d\d?)(?!\d)/g;
const DATE_OF_NUMBERS =
  /(?:\bDate|\bUTC|\bdatetime|\bdate)\(\s*((?:19[7-9]|20\d)\d)\s*,\s*(\d\d?)\s*,\s*(\d\d?)/g;
const YEAR = /(?<![\w.$-])((?:19[7-9]|20[0-4])\d)(?![\w$]|\.\d)/g;
/** Matches a script that reads the year of a date. In other scripts, 2000 is more often a plain number. */
const ASKS_FOR_YEAR = /FullYear\(|%Y|\.year\b/;
const EPOCH = /(?<![\w.])(1\d{9}(?:\d{3})?)(?![\w.])/g;

/**
 * Returns the days, such as `2024-06-30`, to which a control moves the clock: a day before the earliest past date that the script
 * names, a day within the first such date or year, and a day after the latest future date. A claim that depends only on the
 * script's date and today's date disappears on one of them. Empty if the script names no date. Pure.
 */
export function otherDays(script: string, nowMs: number): string[] {
  const named = datesIn(script);
  const past = named.filter(({ fromMs }) => fromMs <= nowMs);
  const future = named.filter(({ fromMs }) => fromMs > nowMs);
  const first = past.find(({ toMs }) => toMs <= nowMs);
  const moments = [
    ...(past.length === 0 ? [] : [Math.min(...past.map(({ fromMs }) => fromMs)) - DAY_MS]),
    ...(first === undefined ? [] : [(first.fromMs + first.toMs) / 2]),
    ...(future.length === 0 ? [] : [Math.max(...future.map(({ toMs }) => toMs)) + DAY_MS]),
  ];
  const days = moments.filter((ms) => ms >= EARLIEST_MS).map((ms) => new Date(ms).toISOString().slice(0, 10));
  return [...new Set(days)].slice(0, MAX_DAYS);
}

/** Returns the dates of a text in their order, and then the years. */
function datesIn(text: string): Named[] {
  const found: Named[] = [];
  const rest = (pattern: RegExp, from: string, take: (...groups: number[]) => Named | null): string =>
    from.replaceAll(pattern, (whole, ...groups: string[]) => {
      const named = take(...groups.slice(0, 4).map(Number));
      if (named !== null) found.push(named);
      return " ".repeat(whole.length);
    });
  const day = (year: number, month: number, date: number): Named | null => {
    const fromMs = Date.UTC(year, month, date);
    return month > 11 || date > 31 || Number.isNaN(fromMs) ? null : { fromMs, toMs: fromMs + DAY_MS };
  };
  let left = rest(DATE, text, (year = 0, _, month = 0, date = 0) => day(year, month - 1, date));
  left = rest(DATE_OF_NUMBERS, left, (year = 0, month = 0, date = 0) => day(year, month, date));
  left = rest(EPOCH, left, (number = 0) => {
    const fromMs = number < 1e11 ? number * 1_000 : number;
    return { fromMs, toMs: fromMs + DAY_MS };
  });
  if (!ASKS_FOR_YEAR.test(text)) left = left.replaceAll(/\b2000\b/g, "    ");
  rest(YEAR, left, (year = 0) => ({ fromMs: Date.UTC(year), toMs: Date.UTC(year + 1) }));
  return found;
}

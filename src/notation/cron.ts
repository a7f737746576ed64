const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/** The five fields of POSIX cron, as GitHub Actions reads them. */
const FIELDS = [
  { name: "minute", min: 0, max: 59, names: [] },
  { name: "hour", min: 0, max: 23, names: [] },
  { name: "day of the month", min: 1, max: 31, names: [] },
  { name: "month", min: 1, max: 12, names: MONTHS },
  { name: "day of the week", min: 0, max: 6, names: DAYS },
] as const;

type Field = (typeof FIELDS)[number];

/**
 * Returns the problem of a schedule of GitHub Actions, for people; null when it has none.
 * @example
 * cronProblem("17 3 * * *") // => null
 * cronProblem("* * *") // => "it has 3 fields, not five"
 */
export function cronProblem(expression: string): string | null {
  const parts = expression.split(" ");
  if (parts.length !== FIELDS.length)
    return `it has ${parts.length} ${parts.length === 1 ? "field" : "fields"}, not five`;
  for (const [index, field] of FIELDS.entries()) {
    const bad = (parts[index] ?? "").split(",").find((item) => !isItem(item, field));
    if (bad !== undefined) return `the ${field.name} is from ${field.min} to ${field.max}, not "${bad}"`;
  }
  return null;
}

/** Matches `*`, `5` and `1-5`, each with an optional step such as `/15`. */
function isItem(item: string, field: Field): boolean {
  const match = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d{1,2}))?$/.exec(item);
  if (match === null) return false;
  const [, first, last, step] = match;
  if (step !== undefined && (Number(step) < 1 || Number(step) > field.max)) return false;
  if (first === undefined) return true;
  const from = valueOf(first, field);
  const to = last === undefined ? from : valueOf(last, field);
  return from >= field.min && to <= field.max && from <= to;
}

/** Returns NaN, which is in no range, for a text that is neither a number nor a name. */
function valueOf(text: string, { names, min }: Field): number {
  const index = (names as readonly string[]).indexOf(text.toUpperCase());
  return index >= 0 ? index + min : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
}

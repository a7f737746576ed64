import type { GatewaySession } from "./gateway-schemas.ts";

/** Token counts by price category. */
interface Tokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** One line of the export: what one user spent on one model in the period. */
export interface SpendRow extends Tokens {
  userId: string;
  model: string;
  usd: number;
}

/** The names of each column, newest first, because they differ between versions. */
const COLUMNS = {
  userId: ["user_id", "initiator_id"],
  model: ["model"],
  micros: ["spend_micros", "cost_micros"],
  usd: ["spend_usd", "cost_usd", "spend"],
  input: ["input_tokens"],
  output: ["output_tokens"],
  cacheRead: ["cache_read_tokens", "cache_read_input_tokens"],
  cacheWrite: ["cache_write_tokens", "cache_write_input_tokens"],
} as const;

/** Returns the rows of the CSV of `GET /organizations/{org}/ai/spend/export`, or null if it lacks a required column. Pure. */
export function readSpend(csv: string): SpendRow[] | null {
  const [header = [], ...lines] = csvLines(csv);
  const columnOf = (names: readonly string[]): number =>
    names
      .map((name) => header.findIndex((cell) => cell.trim().toLowerCase() === name))
      .find((at) => at >= 0) ?? -1;
  const at = Object.fromEntries(
    Object.entries(COLUMNS).map(([field, names]) => [field, columnOf(names)]),
  ) as Record<keyof typeof COLUMNS, number>;
  const { userId, model, micros, usd, input, output, cacheRead, cacheWrite } = at;
  if ([userId, model, input, output].includes(-1) || (micros === -1 && usd === -1)) return null;
  return lines.map((line) => {
    const number = (column: number): number => {
      const value = Number(line[column] ?? "");
      return Number.isFinite(value) && value > 0 ? value : 0;
    };
    return {
      userId: line[userId] ?? "",
      model: line[model] ?? "",
      usd: micros === -1 ? number(usd) : number(micros) / 1_000_000,
      input: number(input),
      output: number(output),
      cacheRead: number(cacheRead),
      cacheWrite: number(cacheWrite),
    };
  });
}

/** The price of one token of each kind, in input tokens: the ratios are the same in all price lists of Claude models. */
const WEIGHTS: Readonly<Tokens> = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 };

function weightOf(tokens: Tokens): number {
  const kinds = Object.keys(WEIGHTS) as (keyof Tokens)[];
  return kinds.reduce((sum, kind) => sum + tokens[kind] * WEIGHTS[kind], 0);
}

/**
 * Returns what one session cost, in dollars, or null if nothing was spent on its models, as on a model without a list price.
 * Pure. The cost is the session's share, by weighted tokens, of what its user spent on its models in the period, because the
 * gateway reports no dollars per session.
 */
export function costOfSession(session: GatewaySession, rows: readonly SpendRow[]): number | null {
  const { initiator, models, token_usage_summary: usage } = session;
  const own = rows.filter(({ userId, model }) => userId === initiator.id && models.includes(model));
  const usd = own.reduce((sum, row) => sum + row.usd, 0);
  const whole = own.reduce((sum, row) => sum + weightOf(row), 0);
  if (usd === 0 || whole === 0) return null;
  const part = weightOf({
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheWrite: usage.cache_write_input_tokens,
  });
  return usd * Math.min(1, part / whole);
}

/** Returns the lines of a CSV text (RFC 4180): fields may be quoted, and a quote inside a quoted field is duplicated. */
function csvLines(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  for (const [, quoted, plain = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    line.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    if (line.length > 1 || line[0] !== "") lines.push(line);
    line = [];
  }
  return lines;
}

import { InvalidArgumentError } from "commander";
import type { RepositoryName } from "../../github/index.ts";
import type { Shard } from "../../triage/index.ts";
import { parseDuration, isRepositoryName } from "../../notation/index.ts";

/**
 * Returns the earlier repositories and one more, each once. Throws InvalidArgumentError. The error of each parser in this file says
 * what was expected; commander adds the flag and the value.
 */
export function repositories(text: string, earlier: readonly RepositoryName[]): RepositoryName[] {
  return [...new Set([...earlier, repository(text)])];
}

/**
 * Returns a repository's name from `owner/name`. Throws InvalidArgumentError for other text; for a URL the message names the part
 * to write.
 */
export function repository(text: string): RepositoryName {
  if (isRepositoryName(text)) return text;
  const inAddress = /^https?:\/\/[^/]+\/([^/]+\/[^/]+?)(?:\.git)?\/?$/.exec(text)?.[1];
  throw new InvalidArgumentError(
    `Expected owner/name${inAddress === undefined ? "" : `: write ${inAddress}`}.`,
  );
}

/** Returns the earlier values of a repeatable flag and one more issue number. Throws InvalidArgumentError. */
export function issueNumbers(text: string, earlier: readonly number[]): number[] {
  return [...earlier, wholeNumber(1, Number.MAX_SAFE_INTEGER)(text)];
}

/**
 * Returns a parser of decimal whole numbers from `min` to `max`. It throws InvalidArgumentError for other text.
 */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    const isTooLarge = /^\d{16,}$/.test(text);
    const isOpen = max === Number.MAX_SAFE_INTEGER && !isTooLarge;
    const range = isOpen ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new InvalidArgumentError(`Expected a whole number ${range}.`);
  };
}

/** Returns an amount in US dollars above 0. Throws InvalidArgumentError. */
export function dollars(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (value > 0) return value;
  throw new InvalidArgumentError("Expected an amount in dollars such as 2.50.");
}

/** Returns a duration such as `90s`, `20m` or `7d` in milliseconds. Throws InvalidArgumentError. */
export function duration(text: string): number {
  const parsed = parseDuration(text);
  if (parsed !== null) return parsed;
  const hint = /^\d+$/.test(text) && Number(text) > 0 ? `: write ${text}m for minutes` : "";
  throw new InvalidArgumentError(`Expected a duration such as 90s, 20m or 7d${hint}.`);
}

/** Returns a parser of durations within limits in milliseconds. `range` is the text of the limits in the InvalidArgumentError. */
export function durationBetween(minMs: number, maxMs: number, range: string): (text: string) => number {
  return (text) => {
    const value = duration(text);
    if (value >= minMs && value <= maxMs) return value;
    throw new InvalidArgumentError(`Expected a duration from ${range}.`);
  };
}

/** Returns the shard of `i/n`: the i-th of n parts, counted from 1. Throws InvalidArgumentError. */
export function shard(text: string): Shard {
  const match = /^(\d{1,4})\/(\d{1,4})$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (match !== null && index >= 1 && index <= count) return { index, count };
  throw new InvalidArgumentError("Expected i/n with 1 <= i <= n, such as 2/4.");
}

/** Returns the path of a directory, which need not exist. Throws InvalidArgumentError for an empty text. */
export function directory(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Expected a directory.");
}

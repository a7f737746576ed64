import { encodedSecrets } from "./encoded-secrets.ts";
import { SECRET_SHAPES } from "./secret-shapes.ts";
import { shapeMatches } from "./shape-matches.ts";
import { splitSecrets } from "./split-secrets.ts";
import { type Range, undisguised, undisguisedMarkup, type View } from "./undisguised.ts";

export const REDACTED = "[redacted secret]";

/**
 * Returns the text with a notice in place of strings that look like tokens, including disguised ones. It is used for everything
 * that is stored or published.
 */
export function redactSecrets(text: string): string {
  const spans = secretsIn(undisguisedMarkup(text)).map((ranges): Range => [
    ranges[0]?.[0] ?? 0,
    ranges.at(-1)?.[1] ?? 0,
  ]);
  return replaced(text, spans, () => REDACTED);
}

/**
 * Returns a document in which every string is redacted separately, so that a secret without an end removes no more than its own
 * string.
 */
export function redactSecretsIn<Value>(value: Value): Value {
  const redact = (part: unknown): unknown => {
    if (typeof part === "string") return redactSecrets(part);
    if (Array.isArray(part)) return part.map(redact);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, redact(inner)]));
  };
  return redact(value) as Value;
}

/**
 * Returns the text with `*` in place of secrets and with the same length, so that offsets into the text stay valid. Line ends,
 * control characters, and characters between the parts of a secret stay.
 */
export function maskSecrets(text: string): string {
  const mask = (secret: string): string => secret.replaceAll(/[!-~]/g, "*");
  return replaced(text, secretsIn(undisguised(text)).flat(), mask);
}

/** Returns, for each secret in each view that shows it, the ranges of the source from which it was read. */
function secretsIn(views: readonly View[]): Range[][] {
  const shown = views.flatMap(({ text, rangesOf }) =>
    shapeMatches(SECRET_SHAPES, text).map(({ 0: secret, index }) => rangesOf(index, index + secret.length)),
  );
  // Split and encoded secrets are searched for only in the original text and in the last view.
  const [first, ...others] = views;
  const outermost = [first, others.at(-1)].filter((view) => view !== undefined);
  const hidden = outermost.flatMap(({ text, rangesOf }) =>
    [...splitSecrets(text), ...encodedSecrets(text).map((range) => [range])].map((pieces) =>
      pieces.flatMap(([start, end]) => rangesOf(start, end)),
    ),
  );
  return [...shown, ...hidden];
}

function replaced(text: string, ranges: readonly Range[], replacement: (secret: string) => string): string {
  if (ranges.length === 0) return text;
  const parts: string[] = [];
  let end = 0;
  for (const [start, stop] of united(ranges)) {
    parts.push(text.slice(end, start), replacement(text.slice(start, stop)));
    end = stop;
  }
  return [...parts, text.slice(end)].join("");
}

/** Returns the ranges in order, with overlapping ranges merged. */
function united(ranges: readonly Range[]): Range[] {
  const joined: [number, number][] = [];
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

import { encodedSecrets } from "./encoded-secrets.ts";
import { SECRET_SHAPES } from "./secret-shapes.ts";
import { shapeMatches } from "./shape-matches.ts";
import { splitSecrets } from "./split-secrets.ts";
import { type Range, undisguised, undisguisedMarkup, type View } from "./undisguised.ts";

export const REDACTED = "[redacted secret]";

/** Replaces token-shaped strings, also disguised ones. For everything that is persisted or published. */
export function redactSecrets(text: string): string {
  const spans = secretsIn(undisguisedMarkup(text)).map((ranges): Range => [
    ranges[0]?.[0] ?? 0,
    ranges.at(-1)?.[1] ?? 0,
  ]);
  return replaced(text, spans, () => REDACTED);
}

/** Applies to every string of a document by itself, so that a secret without an end removes no more than its own string. */
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
 * The same length, so that what points into the text stays right. Line ends, control characters, and what stands between
 * the characters of a secret stay.
 */
export function maskSecrets(text: string): string {
  const mask = (secret: string): string => secret.replaceAll(/[!-~]/g, "*");
  return replaced(text, secretsIn(undisguised(text)).flat(), mask);
}

/** For each secret, in every view that shows it: the parts of the source that it was read from. */
function secretsIn(views: readonly View[]): Range[][] {
  const shown = views.flatMap(({ text, rangesOf }) =>
    shapeMatches(SECRET_SHAPES, text).map(({ 0: secret, index }) => rangesOf(index, index + secret.length)),
  );
  // Split or encoded as it was written, or under all the rest.
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

/** In order, what overlaps made one. */
function united(ranges: readonly Range[]): Range[] {
  const joined: [number, number][] = [];
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

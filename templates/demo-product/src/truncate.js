const ELLIPSIS = "…";

/** Shortens `text` to at most `limit` characters, the ellipsis included. */
export function truncate(text, limit) {
  if (!Number.isInteger(limit) || limit < 1)
    throw new RangeError(`limit must be a positive integer: ${limit}`);
  const characters = [...text];
  if (characters.length <= limit) return text;
  return characters.slice(0, limit - 1).join("") + ELLIPSIS;
}

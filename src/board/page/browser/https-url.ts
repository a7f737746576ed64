/**
 * Returns the address if it is https, else null. Addresses come from GitHub through a store, so other schemes do not
 * become links.
 */
export function httpsUrl(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  return new URL(text).protocol === "https:" ? text : null;
}

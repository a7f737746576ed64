/** Addresses come from GitHub by way of a store: only https ones become links. */
export function httpsUrl(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  return new URL(text).protocol === "https:" ? text : null;
}

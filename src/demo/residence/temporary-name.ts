/**
 * Names of directories that are half made (`new`) or half removed (`old`). They carry the identity of the process that
 * works on them, so that after a kill the next demo can tell that nobody does any more.
 */
export function temporaryName(stage: "new" | "old", parent: string, name: string): string {
  return `.${stage}-${encodeURIComponent(parent)}@${name}`;
}

/** The identity in such a name, or null for any other name. */
export function temporaryOwner(entry: string): string | null {
  const encoded = /^\.(?:new|old)-([^@]+)@/.exec(entry)?.[1];
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

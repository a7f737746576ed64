/**
 * Returns the name of a directory that is half created (`new`) or half removed (`old`). The name contains the identity of the
 * process that works on it, so that after a kill the next demo can see that the process is gone.
 */
export function temporaryName(stage: "new" | "old", parent: string, name: string): string {
  return `.${stage}-${encodeURIComponent(parent)}@${name}`;
}

/** Returns the identity in such a name, or null for any other name. */
export function temporaryOwner(entry: string): string | null {
  const encoded = /^\.(?:new|old)-([^@]+)@/.exec(entry)?.[1];
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

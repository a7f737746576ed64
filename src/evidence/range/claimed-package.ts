/** One package of a repository that contains several. */
export interface WorkspacePackage {
  name: string;
  /** The folder's path, relative to the checkout. */
  folder: string;
}

/**
 * Returns the name of the package that a script is about: the only one whose name or folder the script mentions. null: it
 * mentions none, or several.
 */
export function claimedPackage(packages: readonly WorkspacePackage[], script: string): string | null {
  const mentioned = packages.filter(({ name, folder }) =>
    [name, folder].some((text) => stands(text, script)),
  );
  const names = [...new Set(mentioned.map(({ name }) => name))];
  return names.length === 1 ? (names[0] ?? null) : null;
}

/** Returns whether the text occurs in the script as a separate word; a path below it also counts. */
function stands(text: string, script: string): boolean {
  const isWord = (character: string | undefined): boolean => /[\w@.-]/.test(character ?? "");
  const parts = text === "" ? [script] : script.split(text);
  return parts.slice(1).some((after, index) => {
    const before = (parts[index] ?? "").replace(/(?:^|(?<![\w.]))\.{1,2}\/$/, "").at(-1);
    return !isWord(before) && before !== "/" && !isWord(after[0]);
  });
}

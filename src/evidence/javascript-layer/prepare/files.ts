import { type Stats, utimesSync, writeFileSync } from "node:fs";
import { dirname, relative, sep } from "node:path";

/** Writes a file that looks as old as before. */
export function rewrite(file: string, text: string, { mode, atime, mtime }: Stats): void {
  writeFileSync(file, text, { mode });
  utimesSync(file, atime, mtime);
}

/** Returns the path by which one file requires another. */
export function relativeTo(from: string, to: string): string {
  const found = relative(dirname(from), to).split(sep).join("/");
  return found.startsWith("../") ? found : `./${found}`;
}

/** Returns the text as comments: a search in the file still finds it. */
export const commented = (text: string): string => text.replace(/^/gm, "// ");

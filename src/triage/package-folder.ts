import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folders that are published with the program. They are data and are never imported as code. */
export type PackageFolder = "templates" | "skills";

/**
 * Returns the absolute path of a folder of this package. The code runs from `src/…` in development and from one bundle in `dist/`
 * when installed; the package's root is above both.
 */
export function packageFolder(name: PackageFolder): string {
  return join(packageRoot(), name);
}

/** Returns the text of `templates/<path>`, which is read once per process. */
export function readTemplate(path: string): string {
  const text = templates.get(path) ?? readFileSync(join(packageFolder("templates"), path), "utf8");
  templates.set(path, text);
  return text;
}

const templates = new Map<string, string>();

let root: string | null = null;

function packageRoot(): string {
  root ??= findPackageRoot();
  return root;
}

function findPackageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, "templates", "prompt.md"))) {
    const parent = dirname(directory);
    if (parent === directory) throw new Error("templates/prompt.md is missing from the installed package");
    directory = parent;
  }
  return directory;
}

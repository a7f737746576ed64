import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, normalize, relative } from "node:path";

/** The facts about the code that the demo's Triage Agent uses. */
export interface Checkout {
  packageName: string | null;
  version: string | null;
  /** Whether Node resolves the package by its own name from inside it, which requires `exports` in its manifest. */
  resolvesItself: boolean;
  exports: ExportedName[];
  readme: ReadmeSection[];
  scopeNotes: ScopeNote[];
  testFiles: string[];
}

export interface ExportedName {
  name: string;
  /** Relative to the checkout. */
  file: string;
}

export interface ReadmeSection {
  heading: string;
  text: string;
}

/** One file of `.out-of-scope/`: a feature that the project has decided against. */
export interface ScopeNote {
  concept: string;
  title: string;
  text: string;
}

const MAX_FILES = 500;
const MAX_FILE_BYTES = 256 * 1024;

/**
 * Returns the facts of a checkout on which the demo's Triage Agent bases its decision: package, exports, documentation and scope
 * notes.
 */
export function readCheckout(directory: string): Checkout {
  const files = listFiles(directory);
  const source = files.filter(
    (path) => /\.[cm]?[jt]s$/.test(path) && !/(^|\/)(test|tests|bench|examples?|dist|build)\//.test(path),
  );
  const manifest = readManifest(directory);
  const packageName = stringOrNull(manifest["name"]);
  const main = normalize(stringOrNull(manifest["main"]) ?? "index.js");
  const readme = files.find((path) => /^readme(?:\.md|\.markdown)?$/i.test(path));
  return {
    packageName,
    version: stringOrNull(manifest["version"]),
    resolvesItself: manifest["exports"] !== undefined,
    exports: source.flatMap((file) =>
      exportedNames(readText(join(directory, file)), file === main ? packageName : null).map((name) => ({
        name,
        file,
      })),
    ),
    readme: readme === undefined ? [] : readmeSections(readText(join(directory, readme))),
    scopeNotes: files
      .filter((path) => /^\.out-of-scope\/[^/]+\.md$/.test(path))
      .map((path) => scopeNote(path, readText(join(directory, path)))),
    testFiles: files.filter((path) => /(^|\/)tests?\//.test(path)),
  };
}

/** Returns the paths of regular files only, because a link in a checkout could point anywhere. */
function listFiles(directory: string): string[] {
  const found: string[] = [];
  const queue = [directory];
  for (
    let current = queue.shift();
    current !== undefined && found.length < MAX_FILES;
    current = queue.shift()
  ) {
    for (const entry of readdirSync(current, { withFileTypes: true })) {
      const path = join(current, entry.name);
      if (entry.isDirectory() && entry.name !== ".git" && entry.name !== "node_modules") queue.push(path);
      else if (entry.isFile() && found.length < MAX_FILES) found.push(relative(directory, path));
    }
  }
  return found.sort();
}

function readText(path: string): string {
  const status = lstatSync(path, { throwIfNoEntry: false });
  return status?.isFile() === true && status.size <= MAX_FILE_BYTES ? readFileSync(path, "utf8") : "";
}

function readManifest(directory: string): Record<string, unknown> {
  try {
    const manifest: unknown = JSON.parse(readText(join(directory, "package.json")));
    return typeof manifest === "object" && manifest !== null ? (manifest as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function readmeSections(text: string): ReadmeSection[] {
  return text
    .split(/^#{1,3} /m)
    .slice(1)
    .map((section) => {
      const end = section.indexOf("\n");
      return end === -1
        ? { heading: section, text: "" }
        : { heading: section.slice(0, end), text: section.slice(end + 1) };
    });
}

function scopeNote(path: string, text: string): ScopeNote {
  const concept = path.replace(/^.*\//, "").replace(/\.md$/, "");
  return { concept, title: /^# (.+)$/m.exec(text)?.[1] ?? concept.replaceAll("-", " "), text };
}

function stringOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

const PATTERNS = [
  /^export\s+(?:default\s+)?(?:async\s+)?(?:function\*?|class|const|let)\s+([A-Za-z_$][\w$]*)/gm,
  // CommonJS: what one file of a package exports, and what it adds to its exports.
  /^\s*module\.exports\s*=\s*(?:async\s+)?(?:function\*?|class)\s+([A-Za-z_$][\w$]*)/gm,
  /^\s*module\.exports\s*=\s*([A-Za-z_$][\w$]*)\s*;?\s*$/gm,
  /^\s*(?:module\.)?exports\.([A-Za-z_$][\w$]*)\s*=/gm,
];
const ANONYMOUS = /^\s*module\.exports\s*=\s*(?:async\s+)?(?:function\*?\s*\(|\()/m;

/**
 * Returns the names that a source file exports, as far as its single lines show them. `ifAnonymous`: the name by which users call
 * an unnamed export.
 */
function exportedNames(source: string, ifAnonymous: string | null): string[] {
  const named = PATTERNS.flatMap((pattern) => [...source.matchAll(pattern)].map(([, name = ""]) => name));
  const nameless = ifAnonymous !== null && ANONYMOUS.test(source) ? [ifAnonymous] : [];
  return [...new Set([...named, ...nameless])];
}

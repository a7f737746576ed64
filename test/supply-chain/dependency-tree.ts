import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

export const ROOT = join(import.meta.dirname, "..", "..");

const names = z.record(z.string(), z.string()).optional();
const manifestSchema = z.looseObject({
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
  license: z.string().optional(),
  allowScripts: z.record(z.string(), z.boolean()).optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;

const lockedSchema = z.looseObject({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  dev: z.boolean().optional(),
  dependencies: names,
  optionalDependencies: names,
});
const lockSchema = z.looseObject({ packages: z.record(z.string(), lockedSchema) });
export type Lock = z.infer<typeof lockSchema>;

/** The two manifests of ours: what is published, and the engine inside it. */
export const MANIFEST_FILES = ["package.json", "src/agent-tty/package.json"];

export function readManifest(path: string): Manifest {
  return manifestSchema.parse(JSON.parse(readFileSync(join(ROOT, path), "utf8")));
}

export function readLock(): Lock {
  return lockSchema.parse(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
}

/**
 * Where in the lock file the packages stand that users get: those installed with ours, and those inside its bundle, which
 * are development dependencies that the sources import; each with all that it depends on.
 */
export function shippedPackages(lock: Lock): string[] {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const { dependencies, optionalDependencies } = lock.packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = locate(lock, path, name);
      if (found !== null) visit(found);
    }
  };
  const production = MANIFEST_FILES.flatMap((file) => Object.keys(readManifest(file).dependencies ?? {}));
  for (const name of [...production, ...importedPackages()]) {
    const found = locate(lock, "", name);
    if (found !== null) visit(found);
  }
  return [...seen].filter((path) => lock.packages[path]?.link !== true).toSorted();
}

/** As Node looks it up: the nearest node_modules above. */
function locate(lock: Lock, from: string, name: string): string | null {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
    const path = at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (lock.packages[path] !== undefined) return path;
    if (at === "") return null;
  }
}

/** Packages whose code the bundle takes in. */
function importedPackages(): string[] {
  const source = join(ROOT, "src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.tsx?$/.test(path),
  );
  const specifiers = files.flatMap((path) =>
    // At the beginning of a line, so that an import inside a text that the sources write is none of theirs.
    [
      ...readFileSync(join(source, path), "utf8").matchAll(
        /^(?:import|export|\}) (?:[^`"\n]* )?from "([^."][^"]*)"|\bimport\("([^."][^"]*)"\)/gm,
      ),
    ].map(([, imported, loaded]) => imported ?? loaded ?? ""),
  );
  return [...new Set(specifiers.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ""))];
}

/** null where it is not installed: a prebuilt binary for another kind of machine. */
export function licenceOf(path: string): string | null {
  const manifest = join(ROOT, path, "package.json");
  return existsSync(manifest)
    ? (manifestSchema.parse(JSON.parse(readFileSync(manifest, "utf8"))).license ?? "none")
    : null;
}

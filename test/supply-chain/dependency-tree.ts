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

/** This project's two manifests: the published package, and the engine inside it. */
export const MANIFEST_FILES = ["package.json", "src/agent-tty/package.json"];

export function readManifest(path: string): Manifest {
  return manifestSchema.parse(JSON.parse(readFileSync(join(ROOT, path), "utf8")));
}

export function readLock(): Lock {
  return lockSchema.parse(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
}

/**
 * Returns the lock file paths of the packages that users get: those installed with our package, and those inside its bundle
 * (development dependencies that the sources import), each with all its dependencies.
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

/** Finds a package as Node does: in the nearest node_modules folder above. */
function locate(lock: Lock, from: string, name: string): string | null {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
    const path = at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (lock.packages[path] !== undefined) return path;
    if (at === "") return null;
  }
}

/** Returns the packages whose code the bundle includes. */
function importedPackages(): string[] {
  const source = join(ROOT, "src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.tsx?$/.test(path),
  );
  const specifiers = files.flatMap((path) =>
    // The import must be at the beginning of a line, so that an import inside a generated text does not count.
    [
      ...readFileSync(join(source, path), "utf8").matchAll(
        /^(?:import|export|\}) (?:[^`"\n]* )?from "([^."][^"]*)"|\bimport\("([^."][^"]*)"\)/gm,
      ),
    ].map(([, imported, loaded]) => imported ?? loaded ?? ""),
  );
  return [...new Set(specifiers.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ""))];
}

/** Returns null if the package is not installed: a prebuilt binary for another kind of machine. */
export function licenceOf(path: string): string | null {
  const manifest = join(ROOT, path, "package.json");
  return existsSync(manifest)
    ? (manifestSchema.parse(JSON.parse(readFileSync(manifest, "utf8"))).license ?? "none")
    : null;
}

import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { commitVersion, startRepository } from "../package-history.ts";
import { OWN_DEPENDENCIES, OWN_PACKAGES } from "./packages.ts";
import { OWN_PYTHON_PACKAGES } from "./python-packages.ts";

/** The version of every package of `OWN_PACKAGES`. */
export const OWN_VERSION = "2.3.1";

/**
 * Creates a git repository that tracks one of `OWN_PACKAGES` as an installed module, in the layout of `buildPackageHistory`, or
 * one of `OWN_PYTHON_PACKAGES` as the checkout's own source.
 */
export async function buildOwnRepository(packageName: string, directory: string): Promise<void> {
  const python = OWN_PYTHON_PACKAGES[packageName];
  if (python !== undefined) {
    await startRepository(directory);
    for (const [path, text] of Object.entries(python)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    }
    return commitVersion(directory, packageName, OWN_VERSION);
  }
  const modules = join(directory, "node_modules");
  const product = OWN_PACKAGES[packageName];
  if (product === undefined) throw new Error(`there is no package ${packageName} of our own`);
  await startRepository(directory);
  for (const [name, files] of Object.entries({ ...OWN_DEPENDENCIES, [packageName]: product }))
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(modules, name, path)), { recursive: true });
      await writeFile(join(modules, name, path), text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
    }
  await linkPrograms(product["package.json"] ?? "{}", packageName, modules);
  await commitVersion(directory, packageName, OWN_VERSION);
}

async function linkPrograms(manifest: string, packageName: string, modules: string): Promise<void> {
  const { bin = {} } = JSON.parse(manifest) as { bin?: Record<string, string> };
  await mkdir(join(modules, ".bin"), { recursive: true });
  for (const [name, path] of Object.entries(bin))
    await symlink(join("..", packageName, path), join(modules, ".bin", name));
}

import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Creates the directory and its missing parents. Unlike Node's own recursive mkdir, it rejects instead of looping forever when a
 * directory reports that its child does not exist, as /proc does.
 */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  if (await isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeDirectory(parent, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // Another process may have created it at the same time.
    if (!(await isDirectory(path))) throw error;
  }
}

function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes the directory and those above it. Node's own recursive mkdir never ends where a directory answers that a child of it
 * does not exist, as /proc does; this one rejects.
 */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  if (await isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeDirectory(parent, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // Another process may have made it at the same time.
    if (!(await isDirectory(path))) throw error;
  }
}

function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

const BUILDS = join(import.meta.dirname, "../../build");

/**
 * Creates the directory in which the tests of this run share one build of the program and other data that they create once; it is
 * removed after the run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = `test-program-of-${process.pid}`;
  const remove = async (): Promise<void> => {
    for (const name of await readdir(BUILDS).catch(() => []))
      if (name === directory || name.startsWith(`${directory}.`))
        await rm(join(BUILDS, name), { recursive: true, force: true });
  };
  // A killed run may have had the same process id and left the build of another tree behind.
  await remove();
  project.onTestsRerun(remove);
  process.env["AFK_TEST_PROGRAM"] = join(BUILDS, directory);
  return remove;
}

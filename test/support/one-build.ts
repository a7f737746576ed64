import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

const BUILDS = join(import.meta.dirname, "../../build");

/** Where the tests of this run share one build of the program, and what else they make once; gone with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = `test-program-of-${process.pid}`;
  const remove = async (): Promise<void> => {
    for (const name of await readdir(BUILDS).catch(() => []))
      if (name === directory || name.startsWith(`${directory}.`))
        await rm(join(BUILDS, name), { recursive: true, force: true });
  };
  // A killed run may have had this process id, and left the build of another tree.
  await remove();
  project.onTestsRerun(remove);
  process.env["AFK_TEST_PROGRAM"] = join(BUILDS, directory);
  return remove;
}

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

const ROOT = join(import.meta.dirname, "../..");

/** Where the tests of this run share one build of the program, made by the first one that needs it; gone with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = join(ROOT, "build", `test-program-of-${process.pid}`);
  const remove = async (): Promise<void> => {
    for (const path of [
      directory,
      `${directory}.new`,
      `${directory}.lock`,
      `${directory}.relay.mjs`,
      `${directory}.cleaning.mjs`,
    ])
      await rm(path, { recursive: true, force: true });
  };
  // A killed run may have had this process id, and left the build of another tree.
  await remove();
  project.onTestsRerun(remove);
  process.env["AFK_TEST_PROGRAM"] = directory;
  return remove;
}

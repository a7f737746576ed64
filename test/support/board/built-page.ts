import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";

const ROOT = join(import.meta.dirname, "../../..");

/** The page as it is published. */
export async function buildPage(): Promise<AsyncDisposable & { directory: string }> {
  await mkdir(join(ROOT, "build"), { recursive: true });
  const directory = await mkdtemp(join(ROOT, "build", "test-page-"));
  await execa("tsx", [join(ROOT, "scripts/build.ts"), "--page", directory], {
    preferLocal: true,
    localDir: ROOT,
  });
  return {
    directory: join(directory, "board"),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { refused, releaseError } from "./release-error.ts";

/** Takes what one process at a time may hold, until it is disposed or that process ends; null: another one holds it. */
export type TakeLock = (path: string) => Disposable | null;

/** One release step of a repository at a time. Rejects with RELEASE_BUSY. */
export async function holdRepository(directory: string, takeLock: TakeLock): Promise<Disposable> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const lock = takeLock(join(directory, "release.lock"));
  if (lock !== null) return lock;
  throw releaseError(
    refused(
      "RELEASE_BUSY",
      "begin a release step: another process is at one of the same repository",
      "Let it finish. The lock ends with that process, however it ends.",
    ),
  );
}

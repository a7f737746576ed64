import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testDirectoryPrefix } from "./leak-check.ts";

/** Creates a directory that is removed when the test's scope ends: `await using directory = await temporaryDirectory()`. */
export async function temporaryDirectory(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), testDirectoryPrefix()));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

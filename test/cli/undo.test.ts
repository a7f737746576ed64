import { join } from "node:path";
import { makeDirectory, systemClock } from "agent-tty/kit";
import { afterEach, expect, test, vi } from "vitest";
import { undoCommand } from "../../src/cli/commands/undo-command.ts";
import { openStore, takeExclusiveLock } from "../../src/store/index.ts";
import { recordedOutput } from "../support/cli/recorded-output.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const RUN_ID = "20260101T000000Z";

afterEach(() => void vi.unstubAllEnvs());

/** Records a batch in the store of `directory`, as its parent does. */
async function recordBatch(directory: string): Promise<void> {
  const store = await openStore({ path: join(directory, "store.sqlite"), clock: systemClock });
  store.recordBatch({ runId: RUN_ID, parent: "gone", provider: null, repos: ["o/r"], startedAtMs: 1 });
  store[Symbol.dispose]();
}

test("undo finds the batch of a fleet worker with a home of its own, and otherwise says where to look (T10)", async () => {
  for (const name of ["GITHUB_TOKEN", "AFK_TRIAGE_APP_ID"]) vi.stubEnv(name, "");
  await using directory = await temporaryDirectory();
  const [home, worker] = ["home", "worker"].map((name) => join(directory.path, name)) as [string, string];
  await recordBatch(worker);
  await makeDirectory(join(home, "runs", RUN_ID), 0o700);
  const undo = () => undoCommand({ run: RUN_ID, issue: [], dryRun: false, home }, recordedOutput());
  await expect(undo()).rejects.toMatchObject({
    code: "RUN_NOT_FOUND",
    remedy: expect.stringContaining("AFK_TRIAGE_WORKER_HOME") as string,
  });
  vi.stubEnv("AFK_TRIAGE_WORKER_HOME", worker);
  await expect(undo()).rejects.toMatchObject({ code: "GITHUB_TOKEN_MISSING" });
});

test("a second undo of a batch is refused while the first is running, so that the audit log keeps one writer (T10)", async () => {
  for (const name of ["GITHUB_TOKEN", "AFK_TRIAGE_APP_ID"]) vi.stubEnv(name, "");
  await using directory = await temporaryDirectory();
  const home = join(directory.path, "home");
  await recordBatch(home);
  const undo = () => undoCommand({ run: RUN_ID, issue: [], dryRun: false, home }, recordedOutput());
  const first = takeExclusiveLock(join(home, "runs", RUN_ID, "undo.lock"));
  await expect(undo()).rejects.toMatchObject({ code: "BATCH_STILL_RUNNING" });
  first?.[Symbol.dispose]();
  // The undo reaches GitHub both times: the lock ends with the process that held it.
  for (let turn = 0; turn < 2; turn += 1)
    await expect(undo()).rejects.toMatchObject({ code: "GITHUB_TOKEN_MISSING" });
});

import { join } from "node:path";
import { systemClock } from "agent-tty/kit";
import { afterEach, expect, test, vi } from "vitest";
import { undoCommand } from "../../src/cli/commands/undo-command.ts";
import { openStore, takeExclusiveLock } from "../../src/store/index.ts";
import { recordedOutput } from "../support/cli/recorded-output.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const RUN_ID = "20260101T000000Z";

afterEach(() => void vi.unstubAllEnvs());

test("a second undo of a batch is refused while the first is running, so that the audit log keeps one writer (T10)", async () => {
  for (const name of ["GITHUB_TOKEN", "AFK_TRIAGE_APP_ID"]) vi.stubEnv(name, "");
  await using directory = await temporaryDirectory();
  const home = join(directory.path, "home");
  const store = await openStore({ path: join(home, "store.sqlite"), clock: systemClock });
  store.recordBatch({ runId: RUN_ID, parent: "gone", provider: null, repos: ["o/r"], startedAtMs: 1 });
  store[Symbol.dispose]();
  const undo = () => undoCommand({ run: RUN_ID, issue: [], dryRun: false, home }, recordedOutput());
  const first = takeExclusiveLock(join(home, "runs", RUN_ID, "undo.lock"));
  await expect(undo()).rejects.toMatchObject({ code: "BATCH_STILL_RUNNING" });
  first?.[Symbol.dispose]();
  // The undo reaches GitHub both times: the lock ends with the process that held it.
  for (let turn = 0; turn < 2; turn += 1)
    await expect(undo()).rejects.toMatchObject({ code: "GITHUB_TOKEN_MISSING" });
});

import { join } from "node:path";
import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import { z } from "zod";
import { openInProcessQueue, openSqliteSql } from "../../src/fleet/index.ts";
import { poll } from "../support/batch/poll.ts";
import { describeQueue, manualWorker, wanted } from "../support/fleet/queue-contract.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const quiet = { clock: systemClock, onFailure: () => undefined };

describeQueue("the queue of one process", async (caps) => {
  const directory = await temporaryDirectory();
  const sql = await openSqliteSql(join(directory.path, "fleet.sqlite"), systemClock);
  return {
    queue: await openInProcessQueue(sql, { ...quiet, caps }),
    [Symbol.asyncDispose]: async () => {
      await sql[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
});

test("what waited and what ran when the process died waits again when the file is opened (F2)", async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, "fleet.sqlite");
  const caps = { perRepository: 3, perOwner: null };
  await using before = await openSqliteSql(path, systemClock);
  const queue = await openInProcessQueue(before, { ...quiet, caps });
  for (const number of [1, 2, 4]) await queue.enqueue(wanted(1, number));
  await using worker = manualWorker(queue, 1);
  await poll("one visit", () => worker.begun.length === 1);
  // The first process still believes that it runs: so it is after a SIGKILL.
  await using after = await openSqliteSql(path, systemClock);
  const later = await openInProcessQueue(after, { ...quiet, caps });
  expect(await later.state()).toMatchObject({ waiting: 3, running: 0 });
});

test("a visit that fails for days, because GitHub refuses the token, is tried again all the time (F1)", async () => {
  await using directory = await temporaryDirectory();
  await using sql = await openSqliteSql(join(directory.path, "fleet.sqlite"), systemClock);
  const queue = await openInProcessQueue(sql, { ...quiet, caps: { perRepository: 3, perOwner: null } });
  await queue.enqueue(wanted(1, 1));
  // So it is after four months: between two attempts are six hours at most.
  await sql.rows(z.unknown(), "update fleet_visit set attempt = 500");
  await using worker = manualWorker(queue, 1);
  await poll("the visit", () => worker.begun.length === 1);
  worker.end("1#1", new Error("GITHUB_TOKEN_REJECTED"));
  await poll("its wait", async () => (await queue.state()).waiting === 1);
  expect(await queue.state()).toMatchObject({ running: 0 });
});

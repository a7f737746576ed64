import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  exportAsciicast,
  type EventRecord,
  followEvents,
  readEvents,
  readLastSeq,
  replayDetailedSnapshot,
  replaySession,
  restartSession,
  type Session,
} from "agent-tty";
import { systemClock } from "agent-tty/kit";
import { describe, expect, test } from "vitest";
import { poll } from "../../support/batch/poll.ts";
import { type Engine, engine, PATIENT } from "../engine-fixture.ts";

const MIB = 1024 ** 2;
const MAX_LOG_BYTES = 8 * MIB;
/** On a busy machine ten megabytes of output take much longer than a line. */
const FLOOD = { callerTimeoutMs: 45_000 };

async function logBytes(directory: string): Promise<number> {
  const names = (await readdir(directory)).filter((name) =>
    /^(?:events|output)\..*(?:jsonl|bin)$|^events/.test(name),
  );
  const sizes = await Promise.all(names.map((name) => stat(join(directory, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

async function recordsOf(directory: string): Promise<EventRecord[]> {
  const records: EventRecord[] = [];
  const damage: unknown[] = [];
  for await (const { record } of readEvents(directory, { onDamage: (found) => damage.push(found) }))
    records.push(record);
  expect(damage).toEqual([]);
  return records;
}

/** Checks that every sequence occurs once, in order, or is covered by the gap. */
function expectWhole(records: readonly EventRecord[], lastSeq: number): void {
  let next = 1;
  for (const record of records) {
    expect(record.seq).toBe(next);
    next = (record.type === "gap" ? record.toSeq : record.seq) + 1;
  }
  expect(next).toBe(lastSeq + 1);
}

/**
 * Sets a mark when the prompt is shown. The shell writes its prompt after the end of the run, so the log may grow until the
 * prompt is read. Resolves with the mark's sequence.
 */
async function markAtPrompt(session: Session, label: string): Promise<number> {
  await poll("the prompt", async () => (await session.snapshot()).cursor.col > 0);
  return session.mark(label);
}

async function flooded(run: Engine): Promise<{ session: Session; lastSeq: number }> {
  const session = await run.bash({ maxLogBytes: MAX_LOG_BYTES });
  await session.run("echo the beginning", PATIENT);
  expect(await session.run("seq 1 1200000", FLOOD)).toMatchObject({ exitCode: 0 });
  await session.resize(100, 30);
  expect(await session.run("seq 1 400000; (exit 3)", FLOOD)).toMatchObject({ exitCode: 3 });
  expect(await session.run("echo the end", PATIENT)).toMatchObject({ exitCode: 0 });
  return { session, lastSeq: await markAtPrompt(session, "last") };
}

describe("an Event Log that exceeds its limit", () => {
  test("the log keeps its head and tail, reports the gap, replays to the live screen and continues after a restart (S11, A6, A7)", async () => {
    await using run = await engine();
    const { session, lastSeq } = await flooded(run);
    const { directory } = session;
    expect(await logBytes(directory)).toBeLessThan(MAX_LOG_BYTES * 1.1);
    const records = await recordsOf(directory);
    expectWhole(records, lastSeq);
    const gaps = records.filter((record) => record.type === "gap");
    expect(gaps).toHaveLength(1);
    expect(gaps[0]?.droppedBytes).toBeGreaterThan(2 * MIB);
    const { seq: _live, ...live } = await session.snapshot();
    expect(live.visibleLines.join("\n")).toContain("the end");
    expect(await replaySession(run.home, session.id)).toMatchObject(live);
    const detailed = await session.detailedSnapshot();
    expect((await replayDetailedSnapshot(run.home, session.id)).scrollbackLines).toEqual(
      detailed.scrollbackLines,
    );
    expect((await readLastSeq(directory)).lastSeq).toBe(lastSeq);
    const within = await replaySession(run.home, session.id, { atSeq: (gaps[0]?.toSeq ?? 0) - 1 });
    expect(within.visibleLines.join("\n")).toMatch(/\d/);

    const cast = join(run.directory, "x.cast");
    await exportAsciicast(run.home, session.id, cast);
    const text = await readFile(cast, "utf8");
    expect(text).toContain("the beginning");
    expect(text).toMatch(/\d+ MiB of output were dropped here/);
    expect(text).toContain("the end");
    expect(text).toContain('"r","100x30"');

    const seen: EventRecord[] = [];
    const options = { fromSeq: 1, signal: AbortSignal.timeout(20_000), clock: systemClock };
    for await (const { record } of followEvents(session.directory, options)) {
      seen.push(record);
      if (record.type === "mark") break;
    }
    expectWhole(seen, lastSeq);
    await session.run("exit", PATIENT);
    await session.exited;
    await session[Symbol.asyncDispose]();
    const again = await restartSession(run.home, session.id, {
      env: run.env,
      maxLogBytes: MAX_LOG_BYTES,
    });
    try {
      expect(await again.run("seq 1 200000; echo after the restart", FLOOD)).toMatchObject({ exitCode: 0 });
      expect(await logBytes(session.directory)).toBeLessThan(MAX_LOG_BYTES * 1.1);
      const againLastSeq = await markAtPrompt(again, "again");
      expectWhole(await recordsOf(session.directory), againLastSeq);
      const { visibleLines } = await again.snapshot();
      expect(await replaySession(run.home, session.id)).toMatchObject({ visibleLines });
    } finally {
      await again.destroy();
    }
  });

  test("a limit that leaves no tail is refused (S11)", async () => {
    await using run = await engine();
    await expect(run.bash({ maxLogBytes: 1_000 })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

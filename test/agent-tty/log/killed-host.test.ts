import { copyFile, mkdir, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { type LogDamage, readEvents, replaySession } from "agent-tty";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../support/property-runs.ts";
import { engine } from "../engine-fixture.ts";
import { type WrittenEvent, type WrittenLog, writeSession } from "../written-log.ts";

describe("a host killed at any moment", () => {
  test("an Event Log whose files are both cut at every offset opens with everything before the cuts (A6, A7)", async () => {
    await using started = await engine();
    const history: WrittenEvent[] = [{ output: Buffer.from("ab") }, { type: "mark", label: "m" }];
    const log = await writeSession(started.home, [...history, { output: Buffer.from("cde\n") }]);
    for (let events = log.events.length; events >= 0; events -= 1) {
      await truncate(join(log.directory, "events.jsonl"), events);
      await checkCut(log, events, log.output.byteLength);
    }
    const both = await writeSession(started.home, [
      { output: Buffer.from("ab") },
      { output: Buffer.from("cd") },
    ]);
    const whole = await copyOf(both, join(started.directory, "whole"));
    for (let output = 0; output <= both.output.byteLength; output += 1) {
      for (let events = 0; events <= both.events.length; events += 5) {
        await restoreCut(whole, both, events, output);
        await checkCut(both, events, output);
      }
    }
  });

  test("a long Event Log cut at random offsets opens, and its screen can be shown (A6, A7)", async () => {
    await using started = await engine();
    const history = Array.from({ length: 400 }, (_, index): WrittenEvent => {
      if (index % 9 === 8) return { type: "mark", label: `mark ${index}` };
      return { output: Buffer.from(`line ${index} \x1b[3${index % 8}m日本語 é\r\n`) };
    });
    const log = await writeSession(started.home, history);
    const whole = await copyOf(log, join(started.directory, "whole"));
    const cuts = [fc.nat(Buffer.byteLength(log.events)), fc.nat(log.output.byteLength)] as const;
    await fc.assert(
      fc.asyncProperty(...cuts, async (events, output) => {
        await restoreCut(whole, log, events, output);
        const lastSeq = await checkCut(log, events, output);
        expect((await replaySession(started.home, log.sessionId)).seq).toBeLessThanOrEqual(lastSeq);
      }),
      { numRuns: propertyRuns(4, 30), seed: 3 },
    );
  });
});

/** Checks what can be read from a log with cut files. Resolves with the last sequence that can be read. */
async function checkCut(log: WrittenLog, events: number, output: number): Promise<number> {
  const kept = Buffer.from(log.events).subarray(0, events);
  const wholeLines = kept.toString("latin1").split("\n").length - 1;
  const [seqs, damage]: [number[], LogDamage[]] = [[], []];
  const read: Buffer[] = [];
  let referredBytes = 0;
  for await (const { record, bytes } of readEvents(log.directory, {
    onDamage: (found) => damage.push(found),
  })) {
    seqs.push(record.seq);
    read.push(bytes);
    if (record.type === "output") referredBytes += record.length;
  }
  expect(seqs).toEqual(Array.from({ length: wholeLines }, (_, index) => index + 1));
  // Compared as texts: comparing the buffers byte by byte took most of this file's time.
  const expected = log.output.subarray(0, Math.min(output, referredBytes));
  expect(Buffer.concat(read).toString("latin1")).toBe(expected.toString("latin1"));
  // Every loss is reported: bytes that a record refers to but that are missing, and an incomplete record.
  const lost = damage.reduce(
    (sum, found) => sum + (found.type === "missing-output" ? found.lostBytes : 0),
    0,
  );
  expect(lost).toBe(Math.max(0, referredBytes - output));
  const isTorn = events > 0 && kept[events - 1] !== 10;
  expect(damage.filter(({ type }) => type === "torn-tail")).toHaveLength(isTorn ? 1 : 0);
  return seqs.at(-1) ?? 0;
}

async function copyOf(log: WrittenLog, directory: string): Promise<string> {
  await mkdir(directory);
  for (const file of ["events.jsonl", "output.bin"])
    await copyFile(join(log.directory, file), join(directory, file));
  return directory;
}

async function restoreCut(whole: string, log: WrittenLog, events: number, output: number): Promise<void> {
  const sizes = { "events.jsonl": events, "output.bin": output };
  for (const [file, size] of Object.entries(sizes)) {
    await copyFile(join(whole, file), join(log.directory, file));
    await truncate(join(log.directory, file), size);
  }
  expect((await readFile(join(log.directory, "output.bin"))).byteLength).toBe(output);
}

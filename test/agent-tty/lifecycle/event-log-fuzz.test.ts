import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type LogDamage, openHome, readEvents, replaySession } from "agent-tty";
import { systemClock, systemIds } from "agent-tty/kit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../../support/property-runs.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { writeSession } from "../written-log.ts";

const HISTORY = [
  { output: Buffer.from("one\r\n") },
  { type: "input", data: "x", source: "user" },
  { output: Buffer.from("\x1b[31mtwo\x1b[0m\r\n") },
  { type: "resize", cols: 50, rows: 12 },
  { type: "exit", exit: { type: "code", code: 0 } },
];

/** The damage that fast-check does to a file: bytes replaced, bytes inserted, and the end cut off. */
interface Harm {
  edits: readonly (readonly [number, Uint8Array, boolean])[];
  keep: number;
}

const harm: fc.Arbitrary<Harm> = fc.record({
  edits: fc.array(fc.tuple(fc.nat(1_000), fc.uint8Array({ maxLength: 40 }), fc.boolean()), { maxLength: 6 }),
  keep: fc.integer({ min: 0, max: 1_000 }),
});

function harmed(bytes: Buffer, { edits, keep }: Harm): Buffer {
  let result = bytes;
  for (const [at, piece, isInserted] of edits) {
    const from = at % (result.byteLength + 1);
    const to = isInserted ? from : from + piece.byteLength;
    result = Buffer.concat([result.subarray(0, from), piece, result.subarray(to)]);
  }
  return result.subarray(0, Math.ceil((result.byteLength * keep) / 1_000));
}

async function withLog(
  act: (
    log: Awaited<ReturnType<typeof writeSession>>,
    home: Awaited<ReturnType<typeof openHome>>,
  ) => Promise<void>,
): Promise<void> {
  await using root = await temporaryDirectory();
  const clock = systemClock;
  const home = await openHome({ directory: join(root.path, "home"), clock, ids: systemIds(clock) });
  await act(await writeSession(home, HISTORY), home);
}

async function read(directory: string): Promise<{ seqs: number[]; damage: LogDamage[] }> {
  const [seqs, damage]: [number[], LogDamage[]] = [[], []];
  for await (const { record } of readEvents(directory, { onDamage: (seen) => damage.push(seen) })) {
    seqs.push(record.seq);
  }
  return { seqs, damage };
}

test("a reader reads a damaged Event Log to its end and reports the damage (A6)", () =>
  withLog(async (log, home) => {
    const events = Buffer.from(log.events);
    await fc.assert(
      fc.asyncProperty(harm, harm, async (onEvents, onOutput) => {
        const written = harmed(events, onEvents);
        await writeFile(join(log.directory, "events.jsonl"), written);
        await writeFile(join(log.directory, "output.bin"), harmed(log.output, onOutput));
        const { seqs, damage } = await read(log.directory);
        const lineCount = written
          .toString("latin1")
          .split("\n")
          .filter((line) => line !== "").length;
        expect(
          seqs.length + damage.filter(({ type }) => type !== "missing-output").length,
        ).toBeGreaterThanOrEqual(Math.min(lineCount, 1));
        const screen = await replaySession(home, log.sessionId);
        expect(screen.visibleLines).toHaveLength(screen.rows);
      }),
      { numRuns: propertyRuns(120, 300), seed: 20_261_121 },
    );
  }));

test("random bytes are rejected as an Event Log (A6)", () =>
  withLog(async (log, home) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 4_096 }),
        fc.uint8Array(),
        async (events, output) => {
          await writeFile(join(log.directory, "events.jsonl"), events);
          await writeFile(join(log.directory, "output.bin"), output);
          const { seqs, damage } = await read(log.directory);
          expect(seqs).toEqual([]);
          if (Buffer.from(events).some((byte) => byte !== 0x0a)) expect(damage.length).toBeGreaterThan(0);
          await replaySession(home, log.sessionId);
        },
      ),
      { numRuns: propertyRuns(80, 200), seed: 20_261_121 },
    );
  }));

import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type LogDamage, readEvents, replaySession } from "agent-tty";
import { describe, expect, test } from "vitest";
import { engine, PATIENT } from "./engine-fixture.ts";
import { writeSession } from "./written-log.ts";

interface Reading {
  seqs: number[];
  output: string;
  damage: LogDamage[];
}

async function read(directory: string, startOffset = 0): Promise<Reading> {
  const reading: Reading = { seqs: [], output: "", damage: [] };
  for await (const { record, bytes } of readEvents(directory, {
    startOffset,
    onDamage: (found) => reading.damage.push(found),
  })) {
    reading.seqs.push(record.seq);
    reading.output += bytes.toString("latin1");
  }
  return reading;
}

describe("the Event Log", () => {
  test("one gap-free sequence contains output, input, control actions and lifecycle (A6)", async () => {
    await using started = await engine();
    const session = await started.bash();
    await session.run("printf '\\377\\000raw'", PATIENT);
    await session.mark("a mark");
    await session.resize(90, 30);
    await session.type("exit 3\n");
    await session.exited;
    const types: string[] = [];
    let expectedSeq = 0;
    for await (const { record } of readEvents(session.directory)) {
      expectedSeq += 1;
      expect(record.seq).toBe(expectedSeq);
      types.push(record.type);
    }
    expect(types[0]).toBe("started");
    expect(types.slice(-2)).toEqual(["exit", "status"]);
    expect(new Set(types)).toEqual(
      new Set([
        "started",
        "run-started",
        "input",
        "output",
        "run-completed",
        "mark",
        "resize",
        "exit",
        "status",
      ]),
    );
    expect((await read(session.directory)).output).toContain("\xff\x00raw");
    expect(session.lastSeq()).toBe(expectedSeq);
  });

  test("input methods return the sequence of an event that is already in the files (A6)", async () => {
    await using started = await engine();
    const session = await started.create({ command: ["cat"] });
    const seq = await session.type("typed");
    const line = (await readFile(join(session.directory, "events.jsonl"), "utf8")).split("\n")[seq - 1] ?? "";
    expect(JSON.parse(line)).toMatchObject({ seq, type: "input", data: "typed", source: "user" });
  });

  test("a log truncated at any byte of events.jsonl is read up to that byte (A6, A7)", async () => {
    await using started = await engine();
    const history = [
      { output: Buffer.from("one ") },
      { type: "mark", label: "é" },
      { output: Buffer.from("two") },
    ];
    const log = await writeSession(started.home, history);
    const path = join(log.directory, "events.jsonl");
    const bytes = Buffer.from(log.events);
    for (let length = bytes.byteLength; length >= 0; length -= 1) {
      await truncate(path, length);
      const wholeLines = bytes.subarray(0, length).toString("latin1").split("\n").length - 1;
      const isTorn = length > 0 && bytes[length - 1] !== 10;
      const reading = await read(log.directory);
      expect(reading.seqs).toEqual([1, 2, 3, 4].slice(0, wholeLines));
      expect(reading.damage.map((damage) => damage.type)).toEqual(isTorn ? ["torn-tail"] : []);
    }
    expect((await replaySession(started.home, log.sessionId)).seq).toBe(0);
  });

  test("a log with output.bin truncated at any byte returns the remaining output and reports what is missing (A6, A7)", async () => {
    await using started = await engine();
    const log = await writeSession(started.home, [
      { output: Buffer.from("one ") },
      { output: Buffer.from("two") },
    ]);
    for (let length = log.output.byteLength; length >= 0; length -= 1) {
      await truncate(join(log.directory, "output.bin"), length);
      const { output, seqs, damage } = await read(log.directory);
      expect([output, seqs.length]).toEqual(["one two".slice(0, length), 3]);
      const lost = damage.map((found) => (found.type === "missing-output" ? found.lostBytes : Number.NaN));
      expect(lost.reduce((sum, bytes) => sum + bytes, 0)).toBe(7 - length);
    }
  });

  test("bad records are skipped and reported (A6)", async () => {
    await using started = await engine();
    const history = [
      { output: Buffer.from("kept ") },
      { type: "mark", label: "x" },
      { output: Buffer.from("too") },
    ];
    const log = await writeSession(started.home, history);
    const check = async (badLine: string): Promise<void> => {
      const lines = log.events.split("\n");
      lines[2] = badLine;
      await writeFile(join(log.directory, "events.jsonl"), lines.join("\n"));
      const reading = await read(log.directory);
      expect(reading).toMatchObject({
        seqs: [1, 2, 4],
        output: "kept too",
        damage: [{ type: "bad-record", line: 3 }],
      });
      // The log begins as at a checkpoint: the lines before it were not counted.
      const { damage } = await read(log.directory, Buffer.byteLength(`${lines[0]}\n`));
      expect(damage).toMatchObject([{ type: "bad-record", line: null }]);
    };
    await check("not json");
    await check("");
    await check('{"seq":3,"t":1,"type":"unheard-of"}');
    await check('{"seq":3,"t":1,"type":"output","offset":0,"length":99999999999}');
    await check('{"seq":-3,"t":1,"type":"mark","label":"x"}');
    await check(`"${"x".repeat(9_000_000)}`);
  });

  test("readOutput returns exactly the output of a range, as inert text (A6)", async () => {
    await using started = await engine();
    const session = await started.bash();
    for (let index = 0; index < 120; index += 1) await session.run("true", PATIENT);
    const result = await session.run(
      "printf '\\033[31mred\\033[0m\\rover\\033]52;c;eA==\\007\\n'; seq 3",
      PATIENT,
    );
    expect(await session.readOutput(result.output, 1_000)).toBe("red\nover\n1\n2\n3\n");
    expect(await session.readOutput(result.output, 4)).toBe("2\n3\n");
    const accents = await session.run("printf 'éé'", PATIENT);
    expect(await session.readOutput(accents.output, 3)).toBe("é");
  });
});

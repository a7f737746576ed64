import { readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { exportAsciicast, readArtifacts, recordSnapshot, snapshotResult } from "agent-tty";
import { describe, expect, test } from "vitest";
import { engine, PATIENT } from "./engine-fixture.ts";
import { writeSession } from "./written-log.ts";

type CastEvent = [seconds: number, code: string, data: string];

async function readCast(path: string): Promise<{ header: Record<string, unknown>; events: CastEvent[] }> {
  const [header = "", ...events] = (await readFile(path, "utf8")).trimEnd().split("\n");
  return {
    header: JSON.parse(header) as Record<string, unknown>,
    events: events.map((line) => JSON.parse(line) as CastEvent),
  };
}

describe("asciicast export", () => {
  test("an asciicast starts with the first size and keeps resizes, marks, gaps and characters that were cut in two (A6)", async () => {
    await using started = await engine();
    const [first, second] = [Buffer.from("é🙂").subarray(0, 4), Buffer.from("é🙂").subarray(4)];
    const log = await writeSession(started.home, [
      { output: first },
      { type: "input", data: "a typed secret", source: "user" },
      { type: "resize", cols: 100, rows: 20 },
      { output: Buffer.concat([second, Buffer.from([0xff])]) },
      { type: "mark", label: "here" },
    ]);
    const path = join(started.directory, "x.cast");
    const check = async (
      timing: "recorded" | "accelerated" | "max-speed",
      seconds: number[],
    ): Promise<void> => {
      await exportAsciicast(started.home, log.sessionId, path, { timing });
      const { header, events } = await readCast(path);
      expect(header).toMatchObject({ version: 2, width: 40, height: 10, timestamp: 1_700_000_000 });
      expect(events.map(([, code, data]) => [code, data])).toEqual([
        ["o", "é"],
        ["r", "100x20"],
        ["o", "🙂\ufffd"],
        ["m", "here"],
      ]);
      expect(events.map(([at]) => at)).toEqual(seconds);
    };
    await check("recorded", [0.01, 0.03, 0.04, 0.05]);
    await check("accelerated", [0.01, 0.03, 0.04, 0.05]);
    await check("max-speed", [0, 0, 0, 0]);
  });

  test("an undamaged log is exported without damage reports, and an unwritable target is a typed error (A6)", async () => {
    await using started = await engine();
    const session = await started.bash();
    await session.run("echo recorded", PATIENT);
    await session.run("exit", PATIENT);
    await session.exited;
    const damage: string[] = [];
    const path = join(started.directory, "x.cast");
    const written = await exportAsciicast(started.home, session.id, path, {
      onDamage: (found) => damage.push(found.type),
    });
    expect(damage).toEqual([]);
    expect(written.sizeBytes).toBe((await readFile(path)).byteLength);
    const { events } = await readCast(path);
    expect(events.map(([, , data]) => data).join("")).toContain("$ echo recorded\r\nrecorded\r\n");
    const nowhere = join(started.directory, "no/such/x.cast");
    await expect(exportAsciicast(started.home, session.id, nowhere)).rejects.toMatchObject({
      code: "EXPORT_FAILED",
    });
    await expect(exportAsciicast(started.home, "nope", path)).rejects.toMatchObject({
      code: "SESSION_NOT_FOUND",
    });
  });
});

describe("snapshot artifacts", () => {
  test("the artifact contains exactly the result, and each artifact has its entry in the index (A9, A10, A11)", async () => {
    await using started = await engine();
    const session = await started.create({ command: ["sh", "-c", "echo shown"] });
    await session.exited;
    const screen = await session.snapshot();
    const text = snapshotResult(session.id, screen, "text");
    const structured = snapshotResult(session.id, screen, "structured");
    expect(text).toMatchObject({ text: "shown", capturedAtSeq: screen.seq, screenHash: screen.screenHash });
    expect(structured).toMatchObject({ cursor: { row: 1, col: 0, visible: true }, alternateScreen: false });
    for (const result of [text, structured, text]) {
      const path = await recordSnapshot(started.home, result);
      expect(JSON.parse(await readFile(path, "utf8"))).toEqual(result);
    }
    const artifacts = join(session.directory, "artifacts");
    const entries = await readArtifacts(artifacts);
    expect(entries).toHaveLength(3);
    expect(entries[0]).toMatchObject({ type: "snapshot", capturedAtSeq: screen.seq });
    expect(JSON.parse(await readFile(join(artifacts, "manifest.json"), "utf8"))).toEqual(entries);
  });

  test("simultaneous captures all get a manifest entry, even if a killed capture left its lock behind (A10, A12)", async () => {
    await using started = await engine();
    const session = await started.create({ command: ["sh", "-c", "echo shown"] });
    await session.exited;
    const result = snapshotResult(session.id, await session.snapshot(), "text");
    const artifacts = join(session.directory, "artifacts");
    // The lock left behind by a capture that was killed; no process has this pid.
    await symlink(`${2 ** 22 + 1}.1`, join(artifacts, "manifest.json.lock"));
    const paths = await Promise.all(Array.from({ length: 12 }, () => recordSnapshot(started.home, result)));
    const files = (await readArtifacts(artifacts)).map(({ file }) => join(artifacts, file));
    expect(files.toSorted()).toEqual(paths.toSorted());
    const index = JSON.parse(await readFile(join(artifacts, "manifest.json"), "utf8")) as unknown[];
    expect(index).toHaveLength(12);
    expect(await readdir(artifacts)).toHaveLength(13);
  });
});

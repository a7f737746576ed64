import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createSession, type LogDamage, readEvents } from "agent-tty";
import { type OpenLogFile, openLogFile } from "agent-tty/testing";
import { describe, expect, test } from "vitest";
import { type Engine, engine, PATIENT } from "../engine-fixture.ts";

const MIB = 1024 * 1024;

/** Simulates a disk with this much free space: it accepts what still fits and then refuses. */
function diskOf(roomBytes: number, code: string): OpenLogFile {
  let room = roomBytes;
  return async (path) => {
    const file = await openLogFile(path);
    return {
      append: async (chunks) => {
        for (const chunk of chunks) {
          const fitting = chunk.subarray(0, room);
          room -= fitting.byteLength;
          if (fitting.byteLength > 0) await file.append([fitting]);
          if (fitting.byteLength < chunk.byteLength)
            throw Object.assign(new Error(`${code}: the disk refuses`), { code });
        }
      },
      close: () => file.close(),
    };
  };
}

function sessionOn(started: Engine, disk: OpenLogFile, script: string): ReturnType<typeof createSession> {
  const { home, directory: cwd, env } = started;
  return createSession(home, { command: ["bash", "-c", script], cwd, env }, undefined, disk);
}

describe("a disk that refuses", () => {
  test("the Session fails with an error code and the first lost sequence, and everything before it is readable (A6, A2)", async () => {
    await using started = await engine();
    const check = async (roomBytes: number, errno: string, code: string): Promise<void> => {
      await using session = await sessionOn(started, diskOf(roomBytes, errno), "seq 100000000");
      await session.exited;
      expect(session.status()).toBe("failed");
      const { failure } = await started.home.readManifest(session.id);
      expect(failure).toContain(`${errno}: the disk refuses`);
      await expect(session.type("x")).rejects.toMatchObject({ code: "SESSION_NOT_RUNNING" });
      const firstLostSeq = Number(/from sequence (\d+) on/.exec(failure ?? "")?.[1]);
      const { seqs, output, damage } = await readAll(session.directory);
      expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => index + 1));
      // Records of the batch that was cut off may have reached the disk, but none before it may be missing.
      expect(seqs.length).toBeGreaterThanOrEqual(firstLostSeq - 1);
      expect(damage.every(({ type }) => type === "torn-tail")).toBe(true);
      expect(isBeginningOfSeq(output)).toBe(true);
      expect(code).toBe(errno === "EIO" ? "EVENT_LOG_FAILED" : "EVENT_LOG_DISK_FULL");
    };
    await check(2 * MIB, "ENOSPC", "EVENT_LOG_DISK_FULL");
    await check(300_000, "EDQUOT", "EVENT_LOG_DISK_FULL");
    await check(1_000_003, "EIO", "EVENT_LOG_FAILED");
  });

  test("input that cannot be logged is refused with the error code of the disk (A6)", async () => {
    await using started = await engine();
    const check = async (errno: string, code: string): Promise<void> => {
      await using session = await sessionOn(started, diskOf(400, errno), "cat");
      await expect(session.type("x".repeat(1_000))).rejects.toMatchObject({ code });
    };
    await check("ENOSPC", "EVENT_LOG_DISK_FULL");
    await check("EIO", "EVENT_LOG_FAILED");
  });

  test("create on a full disk fails and leaves nothing behind (A1, A6)", async () => {
    await using started = await engine();
    const check = async (disk: OpenLogFile): Promise<void> => {
      await expect(sessionOn(started, disk, "cat")).rejects.toMatchObject({ code: "EVENT_LOG_DISK_FULL" });
      expect(await readdir(join(started.home.directory, "sessions"))).toEqual([]);
    };
    await check(diskOf(0, "ENOSPC"));
    await check(() => Promise.reject(Object.assign(new Error("ENOSPC"), { code: "ENOSPC" })));
  });

  test("a slow disk pauses the child, and nothing is lost (P5)", async () => {
    await using started = await engine();
    let [pendingBytes, mostBytes] = [0, 0];
    const slow: OpenLogFile = async (path) => {
      const file = await openLogFile(path);
      const append = async (chunks: readonly Uint8Array[]): Promise<void> => {
        pendingBytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
        mostBytes = Math.max(mostBytes, pendingBytes);
        await started.home.clock.sleep(20);
        await file.append(chunks);
      };
      return { append, close: () => file.close() };
    };
    await using session = await sessionOn(started, slow, "seq 1000000; echo whole");
    await session.exited;
    expect(mostBytes).toBeLessThan(6 * MIB);
    const { output } = await readAll(session.directory);
    expect(output.slice(-7)).toBe("whole\r\n");
    expect(isBeginningOfSeq(output.slice(0, -7))).toBe(true);
    await session.wait({ text: "whole" }, PATIENT);
  });
});

async function readAll(directory: string): Promise<{ seqs: number[]; output: string; damage: LogDamage[] }> {
  const [seqs, damage]: [number[], LogDamage[]] = [[], []];
  let output = "";
  for await (const { record, bytes } of readEvents(directory, { onDamage: (found) => damage.push(found) })) {
    seqs.push(record.seq);
    output += bytes.toString("latin1");
  }
  return { seqs, output, damage };
}

function isBeginningOfSeq(output: string): boolean {
  const lines = output.split("\r\n");
  const last = lines.pop() ?? "";
  return (
    lines.length > 1_000 &&
    lines.every((line, index) => line === String(index + 1)) &&
    String(lines.length + 1).startsWith(last.trimEnd())
  );
}

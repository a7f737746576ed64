import { appendFile, mkdir, readFile, rm, rmdir, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createVirtualClock } from "agent-tty/testing";
import { assert, asyncProperty, constantFrom, nat, pre } from "fast-check";
import { describe, expect, test } from "vitest";
import { type AuditFact, createAuditLog, readAuditLog } from "../../../src/triage/index.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { ref } from "../facts.ts";

const fact = (label: string): AuditFact => ({ type: "intended", write: { type: "add-label", label } });

/** Writes a log, of three entries by default, and then calls `check` with its path and text. */
async function written(
  check: (path: string, text: string) => Promise<void>,
  entries: readonly string[] = ["a", "b", "c"],
): Promise<void> {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, "run", "audit.jsonl");
  const log = createAuditLog(path, createVirtualClock());
  await Promise.all(entries.map((label) => log.append("publish", ref, fact(label))));
  await check(path, await readFile(path, "utf8"));
}

const labelsOf = async (path: string): Promise<string[]> =>
  (await readAuditLog(path)).map(({ fact: { type, ...rest } }) => `${type} ${JSON.stringify(rest)}`);

describe("the audit log", () => {
  test("returns entries in order, each chained to the previous one, and keeps the file private (T10)", () =>
    written(async (path) => {
      const entries = await readAuditLog(path);
      expect(entries.map(({ seq, fact: { type } }) => [seq, type])).toEqual([
        [1, "intended"],
        [2, "intended"],
        [3, "intended"],
      ]);
      expect(entries.map(({ previous }) => previous)).toEqual([null, entries[0]?.hash, entries[1]?.hash]);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    }));

  test("detects any changed byte, missing line or swapped line (T10)", () =>
    written(async (path, text) => {
      const lines = text.trimEnd().split("\n");
      const check = async (changed: string): Promise<void> => {
        await writeFile(path, changed);
        await expect(readAuditLog(path)).rejects.toMatchObject({ code: "AUDIT_LOG_DAMAGED" });
      };
      await check([lines[1], lines[2], ""].join("\n"));
      await check([lines[0], lines[2], ""].join("\n"));
      await check([lines[1], lines[0], lines[2], ""].join("\n"));
      await assert(
        asyncProperty(nat(text.length - 2), constantFrom("0", "x", "{", "\n"), async (at, byte) => {
          pre(text[at] !== byte);
          await check(text.slice(0, at) + byte + text.slice(at + 1));
        }),
        { numRuns: 100 },
      );
    }));

  test("an append that fails costs its own entries alone: the next one cuts off what it left, and the chain continues (S11, T10)", async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, "audit.jsonl");
    const log = createAuditLog(path, createVirtualClock());
    const append = (label: string): Promise<void> => log.append("publish", ref, fact(label));
    await append("a");
    const text = await readFile(path, "utf8");
    await rm(path);
    await mkdir(path);
    await expect(append("b")).rejects.toMatchObject({ code: "AUDIT_LOG_UNWRITABLE" });
    await rmdir(path);
    await writeFile(path, `${text}{"seq":2,"at":`);
    await Promise.all([append("c"), append("d")]);
    expect((await readAuditLog(path)).map(({ seq, fact: entry }) => [seq, entry])).toEqual([
      [1, fact("a")],
      [2, fact("c")],
      [3, fact("d")],
    ]);
  });

  test("ignores an incomplete line after a crash, and continues the chain (T10)", () =>
    written(async (path, text) => {
      const whole = await labelsOf(path);
      await assert(
        asyncProperty(nat(text.length), async (length) => {
          await writeFile(path, text);
          await truncate(path, length);
          const kept = await labelsOf(path);
          expect(kept).toEqual(whole.slice(0, text.slice(0, length).split("\n").length - 1));
          await createAuditLog(path, createVirtualClock()).append("undo", ref, fact("later"));
          expect((await readAuditLog(path)).length).toBe(kept.length + 1);
        }),
        { numRuns: 60 },
      );
    }));

  test("accepts no further entry when it is damaged or cannot be written", () =>
    written(async (path) => {
      await appendFile(path, "{}\n");
      const log = createAuditLog(path, createVirtualClock());
      await expect(log.append("publish", ref, fact("x"))).rejects.toMatchObject({
        code: "AUDIT_LOG_DAMAGED",
      });
      const nowhere = createAuditLog(join(path, "below-a-file"), createVirtualClock());
      await expect(nowhere.append("publish", ref, fact("x"))).rejects.toMatchObject({
        code: "AUDIT_LOG_UNWRITABLE",
      });
    }));
});

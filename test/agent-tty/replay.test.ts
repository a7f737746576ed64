import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readEvents, replaySession, type SemanticSnapshot } from "agent-tty";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutInto } from "./laws/terminal-bytes.ts";
import { engine, PATIENT } from "./engine-fixture.ts";
import { writeSession } from "./written-log.ts";

const terminalText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom(
    "日本語",
    "é🙂",
    "\r\n",
    "\r",
    "\b",
    "\t",
    "\x1b[2J",
    "\x1b[H",
    "\x1b[31m",
    "\x1b[?1049h",
    "\x1b[?1049l",
  ),
  fc.constantFrom(
    "\x1b[5;5H",
    "\x1b[3L",
    "\x1b[2K",
    "\x1b]0;title\x07",
    "\x1b[?25l",
    "\x1b[?25h",
    "\x1b[2;4r",
    "\x1bM",
    "\x1bc",
  ),
);

describe("replay", () => {
  test("any chunking of the same bytes results in the same screen (A7, A8)", async () => {
    await using started = await engine();
    const stream = fc.array(terminalText, { maxLength: 30 }).map((parts) => Buffer.from(parts.join("")));
    await fc.assert(
      fc.asyncProperty(
        stream,
        fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 40 }),
        async (bytes, cuts) => {
          const whole = await screenOf(started, bytes.byteLength === 0 ? [] : [bytes]);
          const cut = await screenOf(started, cutInto(bytes, cuts));
          expect({ ...cut, seq: 0 }).toEqual({ ...whole, seq: 0 });
        },
      ),
      { numRuns: 60 },
    );
  });

  test("replay equals live at every sequence that was seen live (A7, A8, A20)", async () => {
    await using started = await engine();
    const session = await started.app("full-screen.mjs", { cols: 60, rows: 12 });
    const live: SemanticSnapshot[] = [];
    await session.wait({ text: "size 60x12" }, PATIENT);
    live.push(await session.snapshot());
    await session.resize(70, 14);
    await session.wait({ text: "size 70x14" }, PATIENT);
    live.push(await session.snapshot());
    await session.type("x");
    await session.exited;
    live.push(await session.snapshot());
    expect(live[1]).toMatchObject({
      title: "full screen",
      alternateScreen: true,
      cursor: { row: 1, col: 0, visible: false },
      cols: 70,
      rows: 14,
    });
    expect(live[1]?.visibleLines[0]).toBe("title 日本 é 🙂");
    expect(live[2]).toMatchObject({ alternateScreen: false, cursor: { visible: true } });
    for (const snapshot of live) {
      expect(await replaySession(started.home, session.id, { atSeq: snapshot.seq })).toEqual(snapshot);
    }
    await session[Symbol.asyncDispose]();
    expect(await session.snapshot()).toEqual(live[2]);
  });

  test("terminal queries get fixed answers; a program's output cannot choose what is typed (S10)", async () => {
    await using started = await engine();
    const session = await started.app("ask-terminal.mjs");
    await session.wait({ text: "asked" }, PATIENT);
    await session.type("q");
    await session.wait({ regex: "heard [\\da-f]+" }, PATIENT);
    let replies = "";
    for await (const { record } of readEvents(session.directory)) {
      if (record.type === "input" && record.source === "terminal-reply") replies += record.data;
    }
    expect(replies).toContain("\x1b[?1;2c");
    expect(replies).toContain("\x1b[0n");
    expect(replies).toMatch(/\x1b\[\d+;\d+R/);
    expect(replies).not.toMatch(/[\r\n]|owned|\x1b\](?!1[01];rgb:)|\x1bP(?!1\+r)/);
    const shown = (await session.snapshot()).visibleLines.join("").replaceAll(/\s/g, "");
    expect(shown).toContain(Buffer.from(replies, "latin1").toString("hex"));
  });

  test("a Session with answersQueries: false types nothing into its shell (S10, V9)", async () => {
    await using started = await engine();
    const session = await started.bash({ answersQueries: false });
    const queries = String.raw`printf '\033[c\033[6n\033]11;?\033\\'`;
    expect(await session.run(queries, PATIENT)).toMatchObject({ type: "completed", exitCode: 0 });
    // The answer of a terminal in between, such as tmux.
    await session.type("\x1b[4;4R");
    expect(await session.run("cd /tmp", PATIENT)).toMatchObject({ type: "completed", exitCode: 0 });
    for await (const { record } of readEvents(session.directory))
      expect(record).not.toMatchObject({ type: "input", source: "terminal-reply" });
  });

  test("replaying a recording answers no queries (S10)", async () => {
    await using started = await engine();
    const log = await writeSession(started.home, [{ output: Buffer.from("\x1b[c\x1b[6n") }]);
    await replaySession(started.home, log.sessionId);
    expect(await readFile(join(log.directory, "events.jsonl"), "utf8")).toBe(log.events);
  });
});

async function screenOf(
  started: Awaited<ReturnType<typeof engine>>,
  chunks: Buffer[],
): Promise<SemanticSnapshot> {
  const log = await writeSession(
    started.home,
    chunks.map((output) => ({ output })),
  );
  return replaySession(started.home, log.sessionId);
}

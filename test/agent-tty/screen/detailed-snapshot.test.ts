import { type Cell, detailedSnapshotResult, replayDetailedSnapshot } from "agent-tty";
import { describe, expect, test } from "vitest";
import { type Engine, engine } from "../engine-fixture.ts";
import { writeSession } from "../written-log.ts";

const PLAIN = { fg: "default", bg: "default", attributes: [], underline: null, link: null };

describe("a detailed snapshot", () => {
  test("a snapshot contains the program's last report of its own state, and ignores all other uses of that sequence (A8)", async () => {
    await using started = await engine();
    const check = async (bytes: string, expected: string | null): Promise<void> => {
      expect((await shown(started, bytes)).programReport).toBe(expected);
    };
    await check("x", null);
    await check("\x1b]7501;state=working:app=codex\x1b\\x", "state=working:app=codex");
    await check("\x1b]7501;state=working\x07\x1b]7501;state=idle\x07\x1b]7501;?\x07", "state=idle");
    await check("\x1b]7501;state=working\x07\x1b]7501;state=clear:id=task-1\x07", "state=working");
    await check("\x1b]7501;state=working:app=x:id=task-1:title=Build\x07", null);
    await check("\x1b]7501;owned\x07", null);
    await check(`\x1b]7501;state=${"x".repeat(600)}\x07`, null);
  });

  test("cells have their character, width, colours, attributes and link (A8)", async () => {
    await using started = await engine();
    const check = async (bytes: string, expected: Partial<Cell["style"]>): Promise<void> => {
      const { cells } = await shown(started, bytes);
      expect({ bytes, cell: cells[0]?.[0] }).toEqual({
        bytes,
        cell: { char: "x", width: 1, style: { ...PLAIN, ...expected } },
      });
    };
    await check("x", {});
    await check("\x1b[31mx", { fg: 1 });
    await check("\x1b[92;104mx", { fg: 10, bg: 12 });
    await check("\x1b[38;5;200;48;5;17mx", { fg: 200, bg: 17 });
    await check("\x1b[38;2;1;2;255mx", { fg: "#0102ff" });
    await check("\x1b[48:2::16:32:48mx", { bg: "#102030" });
    await check("\x1b[1;2;3;5;7;8;9;53mx", {
      attributes: ["bold", "dim", "italic", "blink", "inverse", "invisible", "strikethrough", "overline"],
    });
    await check("\x1b[4mx", { attributes: ["underline"], underline: { style: "single", color: "default" } });
    await check("\x1b[4:3;58;5;9mx", { attributes: ["underline"], underline: { style: "curly", color: 9 } });
    await check("\x1b[4;58;5;9;59mx", {
      attributes: ["underline"],
      underline: { style: "single", color: "default" },
    });
    const link = { style: "dashed", color: "default" } as const;
    await check("\x1b]8;;https://example.test/\x1b\\x", {
      attributes: ["underline"],
      underline: link,
      link: "https://example.test/",
    });
  });

  test("a cell after a linked one has no link (A8)", async () => {
    await using started = await engine();
    const { cells } = await shown(started, "\x1b]8;;https://example.test/\x1b\\x\x1b]8;;\x1b\\y\r\nz");
    const links = cells.slice(0, 2).flatMap((line) => line.slice(0, 3).map(({ style }) => style.link));
    expect(links).toEqual(["https://example.test/", null, null, null, null, null]);
  });

  test("wide, combined and missing characters keep every row at the screen's width (A8)", async () => {
    await using started = await engine();
    const { cells } = await shown(started, "日e\u0301🙂\x1b[2Cz");
    const row = cells[0]?.slice(0, 9).map(({ char, width }) => [char, width]);
    expect(row).toEqual([
      ["日", 2],
      ["", 0],
      ["e\u0301", 1],
      ["🙂", 2],
      ["", 0],
      [" ", 1],
      [" ", 1],
      ["z", 1],
      [" ", 1],
    ]);
    expect(cells.map((line) => line.length)).toEqual(Array.from({ length: 4 }, () => 20));
  });

  test("modes, cursor style and scrollback are from the same moment as the screen (A8)", async () => {
    await using started = await engine();
    const first = await shown(
      started,
      "1\r\n2\r\n3\r\n4\r\n5\r\n6\x1b[?1h\x1b=\x1b[?2004h\x1b[?1002h\x1b[?1004h\x1b[3 q",
    );
    expect(first.scrollbackLines).toEqual(["1", "2"]);
    expect(first.cursor).toEqual({ row: 3, col: 1, visible: true, shape: "underline", blink: true });
    expect(first.modes).toEqual({
      alternateScreen: false,
      applicationCursor: true,
      applicationKeypad: true,
      bracketedPaste: true,
      mouse: "drag",
      focusEvents: true,
      synchronizedOutput: false,
    });
    const second = await shown(started, "1\r\n2\r\n3\r\n4\r\n5\x1b[6 q\x1b[?1049h");
    expect(second).toMatchObject({ scrollbackLines: [], modes: { alternateScreen: true } });
    expect(second.cursor).toMatchObject({ shape: "bar", blink: false });
    const third = await shown(started, "\x1b[6 q\x1b[?25l\x1bc");
    expect(third.cursor).toMatchObject({ visible: true, shape: "block" });
  });

  test("the snapshot result omits default values (A9)", async () => {
    await using started = await engine();
    const screen = await shown(started, "1\r\n2\r\n3\r\n4\r\n\x1b[1;38;5;3mb\x1b[0m日");
    const both = { cells: true, scrollback: true };
    const structured = detailedSnapshotResult("id", screen, "structured", both);
    expect(structured).toMatchObject({
      cursorRow: 3,
      cursorCol: 3,
      isAltScreen: false,
      visibleLines: [{ row: 0, text: "2" }, { text: "3" }, { text: "4" }, { row: 3, text: "b日" }],
      scrollbackLines: [{ row: 0, text: "1" }],
    });
    const cells = structured.format === "structured" ? structured.cells : [];
    expect(cells?.[3]).toMatchObject({ lineNumber: 3 });
    expect(cells?.[3]?.cells.slice(0, 3)).toEqual([
      { char: "b", width: 1, fg: "palette-3", bold: true },
      { char: "日", width: 2 },
      { char: "", width: 0 },
    ]);
    expect(detailedSnapshotResult("id", screen, "text", both)).toMatchObject({ text: "1\n2\n3\n4\nb日" });
    const neither = detailedSnapshotResult("id", screen, "structured", { cells: false, scrollback: false });
    expect(neither).not.toHaveProperty("cells");
    expect(neither).not.toHaveProperty("scrollbackLines");
  });

  test("a live and an offline snapshot are equal (A8)", async () => {
    await using started = await engine();
    const session = await started.app("full-screen.mjs", { cols: 60, rows: 12 });
    await session.wait({ text: "size 60x12" }, { callerTimeoutMs: 20_000 });
    const live = await session.detailedSnapshot();
    expect(live.modes.alternateScreen).toBe(true);
    expect(await replayDetailedSnapshot(started.home, session.id, { atSeq: live.seq })).toEqual(live);
  });
});

async function shown(started: Engine, bytes: string): ReturnType<typeof replayDetailedSnapshot> {
  const log = await writeSession(started.home, [{ output: Buffer.from(bytes) }], { cols: 20, rows: 4 });
  return replayDetailedSnapshot(started.home, log.sessionId);
}

import { type DetailedSnapshot, replayDetailedSnapshot } from "agent-tty";
import { describe, expect, test } from "vitest";
import { type Engine, engine, PATIENT } from "../engine-fixture.ts";
import { writeSession, type WrittenEvent } from "../written-log.ts";

const BEGIN = "\x1b[?2026h";
const END = "\x1b[?2026l";

describe("synchronized output", () => {
  test("the last complete frame is shown during an update, and the new frame when it ends (A8)", async () => {
    await using started = await engine();
    const check = async (bytes: string, shown: string[], isInside: boolean): Promise<void> => {
      const { visibleLines, modes } = await after(started, [{ output: Buffer.from(bytes) }]);
      const got = {
        bytes,
        lines: visibleLines.filter((line) => line !== ""),
        inside: modes.synchronizedOutput,
      };
      expect(got).toEqual({ bytes, lines: shown, inside: isInside });
    };
    const half = `whole${BEGIN}\x1b[2J\x1b[Hhalf`;
    await check(half, ["whole"], true);
    await check(`${half}${END}`, ["half"], false);
    await check(`${half}${BEGIN} more`, ["whole"], true);
    await check(`${half}${END}${BEGIN} more`, ["half"], true);
    await check(`${half}\x1b[?25;2026l`, ["half"], false);
    await check(`one${BEGIN}\x1b[?1049htwo`, ["one"], true);
    await check(`${half}\x1bcreset`, ["reset"], false);
    await check(`\x1b[?1049h${BEGIN}died\x1b[?1049lprompt`, ["prompt"], true);
  });

  test("a kept frame includes its cursor, title, cells and scrollback while lines scroll below it (A8)", async () => {
    await using started = await engine();
    const before = `1\r\n2\r\n3\r\n4\r\n\x1b]0;before\x07\x1b[1mbold\x1b[?25l`;
    const inside = `${BEGIN}\x1b]0;after\x07\x1b[?25h\r\n6\r\n7\r\n8\x1b[H\x1b[2Kx`;
    const kept = await after(started, [{ output: Buffer.from(before + inside) }]);
    const whole = await after(started, [{ output: Buffer.from(before) }]);
    expect({ ...kept, modes: whole.modes }).toEqual(whole);
    expect(kept).toMatchObject({ title: "before", scrollbackLines: ["1"], cursor: { visible: false } });
    expect(kept.cells[3]?.[0]?.style.attributes).toEqual(["bold"]);
  });

  test("an update that never ends does not hide output forever (A8)", async () => {
    await using started = await engine();
    const open = { output: Buffer.from(`whole${BEGIN}\r\nopen`) };
    const lines = async (history: WrittenEvent[]): Promise<string[]> =>
      (await after(started, history)).visibleLines.slice(0, 2);
    expect(await lines([open])).toEqual(["whole", ""]);
    expect(await lines([open, { type: "exit", exit: { type: "code", code: 0 } }])).toEqual(["whole", "open"]);
    expect(await lines([open, { type: "resize", cols: 21, rows: 4 }])).toEqual(["whole", "open"]);
    const flood = { output: Buffer.from("\n".repeat(5_001) + "\x1b[H\x1b[2Jflood") };
    expect(await lines([open, flood])).toEqual(["flood", ""]);
  });

  test("an update that takes a second is shown as it is, live and in a replay (A7, A8, A20)", async () => {
    await using started = await engine();
    const session = await started.app("answer-log.mjs", { cols: 20, rows: 4 });
    await session.wait({ text: "ready" }, PATIENT);
    await session.type(`!${Buffer.from(`${BEGIN}died`).toString("hex")}\n`);
    expect(await session.wait({ text: "asked 1." }, PATIENT)).toMatchObject({ type: "matched" });
    const live = await session.detailedSnapshot();
    await session.mark("end");
    expect(await replayDetailedSnapshot(started.home, session.id, { atSeq: live.seq })).toEqual(live);
  });

  test("an update ends with the command that began it (A8, V9)", async () => {
    await using started = await engine();
    const session = await started.bash({ cols: 60, rows: 10 });
    const result = await session.run(String.raw`printf '\033[?2026h\033[Hdied'`, PATIENT);
    expect(result).toMatchObject({ type: "completed", exitCode: 0 });
    const { visibleLines, modes } = await session.detailedSnapshot();
    expect([visibleLines[0]?.slice(0, 4), modes.synchronizedOutput]).toEqual(["died", false]);
  });

  test("a Render Wait and its baseline are evaluated on complete frames (A19)", async () => {
    await using started = await engine();
    const session = await started.app("answer-log.mjs");
    await session.wait({ text: "ready" }, PATIENT);
    const write = (bytes: string): Promise<number> =>
      session.type(`!${Buffer.from(bytes).toString("hex")}\n`);
    const typed = await write(`${BEGIN}new`);
    const seen = session.wait({ text: "asked 2." }, PATIENT);
    expect(await session.wait({ text: "ready", afterSeq: typed }, { callerTimeoutMs: 100 })).toMatchObject({
      type: "timed-out",
      visibleText: "ready",
    });
    await write(END);
    expect(await seen).toMatchObject({ type: "matched" });
  });
});

async function after(started: Engine, history: readonly WrittenEvent[]): Promise<DetailedSnapshot> {
  const log = await writeSession(started.home, history, { cols: 20, rows: 4 });
  return replayDetailedSnapshot(started.home, log.sessionId);
}

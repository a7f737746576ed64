import { readEvents, type Session } from "agent-tty";
import { describe, expect, test } from "vitest";
import { engine, PATIENT } from "./engine-fixture.ts";

describe("keys by name", () => {
  test("sendKeys sends the same bytes as xterm for each key and combination (A13)", async () => {
    await using started = await engine();
    const session = await started.app("show-keys.mjs");
    await session.wait({ text: "ready" }, PATIENT);
    const check = async (table: Record<string, string>): Promise<void> => {
      const typed: Record<string, string> = {};
      for (const key of Object.keys(table)) typed[key] = await sent(session, [key]);
      expect(typed).toEqual(table);
    };
    await check({
      Enter: "\r",
      Tab: "\t",
      Escape: "\x1b",
      Space: " ",
      Backspace: "\x7f",
      Delete: "\x1b[3~",
      Up: "\x1b[A",
      End: "\x1b[F",
      PageDown: "\x1b[6~",
      F1: "\x1bOP",
      F12: "\x1b[24~",
      F13: "\x1b[1;2P",
      F17: "\x1b[15;2~",
      F24: "\x1b[24;2~",
      "Ctrl+C": "\x03",
      "C-c": "\x03",
      "ctrl+a": "\x01",
      "Ctrl+[": "\x1b",
      "Ctrl+Space": "\0",
      "Ctrl+/": "\x1f",
      "Alt+x": "\x1bx",
      "M-x": "\x1bx",
      "Alt+Enter": "\x1b\r",
      "Alt+Ctrl+c": "\x1b\x03",
      "Shift+a": "A",
      "Shift+Tab": "\x1b[Z",
      "Shift+Up": "\x1b[1;2A",
      "Ctrl+Right": "\x1b[1;5C",
      "Ctrl+Alt+Shift+Home": "\x1b[1;8H",
      "Ctrl+Delete": "\x1b[3;5~",
      "Shift+F5": "\x1b[15;2~",
      "Alt+F1": "\x1b[1;3P",
      "Ctrl+Enter": "\x1b[13;5u",
      "Shift+Enter": "\x1b[13;2u",
      "Ctrl+Tab": "\x1b[9;5u",
      "Ctrl+Backspace": "\b",
      "Ctrl+1": "\x1b[49;5u",
      "Ctrl+Shift+A": "\x1b[97;6u",
      "Ctrl++": "\x1b[43;5u",
      "-": "-",
      é: "é",
      "Alt+é": "\x1bé",
      日: "日",
      "👩‍👩‍👧": "👩‍👩‍👧",
      arrowup: "\x1b[A",
      ENTER: "\r",
    });
  });

  test("sendKeys sends application cursor keys if the program enabled them (A13)", async () => {
    await using started = await engine();
    const session = await started.app("answer-log.mjs");
    await session.wait({ text: "ready" }, PATIENT);
    const ask = asker(session);
    await ask("\x1b[?1h");
    expect(await sent(session, ["Up", "Home", "Ctrl+Up"])).toBe("\x1bOA\x1bOH\x1b[1;5A");
    await ask("\x1b[?1l");
    expect(await sent(session, ["Up"])).toBe("\x1b[A");
  });

  test("sendKeys sends mouse events only if the program asked for them, in its format (A13)", async () => {
    await using started = await engine();
    const session = await started.app("answer-log.mjs");
    await session.wait({ text: "ready" }, PATIENT);
    const ask = asker(session);
    const refuses = async (key: string): Promise<void> =>
      expect(session.sendKeys([key])).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await refuses("MouseClick@0,0");
    await ask("\x1b[?1000h\x1b[?1006h");
    expect(await sent(session, ["MouseClick@3,10", "MouseWheelUp@0,0"])).toBe(
      "\x1b[<0;11;4M\x1b[<0;11;4m\x1b[<64;1;1M",
    );
    await ask("\x1b[?1006l");
    expect(await sent(session, ["MouseRightClick@0,1"])).toBe('\x1b[M""!\x1b[M#"!');
    await refuses("MouseClick@0,100");
  });

  test("sendKeys refuses an unknown key name and suggests the nearest ones (A13)", async () => {
    await using started = await engine();
    const session = await started.app("show-keys.mjs");
    const check = async (key: string, near: string): Promise<void> => {
      const refused = { code: "INVALID_INPUT", remedy: expect.stringContaining(near) as string };
      await expect(session.sendKeys([key])).rejects.toMatchObject(refused);
    };
    await check("Entr", "Enter");
    await check("PgeUp", "PageUp");
    await check("Ctrl+Retrun", "Return");
    await check("MouseClik@1,1", "MouseClick");
    await check("F25", "F2");
    await check("", "Up");
  });
});

/** Returns the bytes that reach the program, read from the Event Log. */
async function sent(session: Session, keys: readonly string[]): Promise<string> {
  const fromSeq = session.lastSeq() + 1;
  await session.sendKeys(keys);
  let data = "";
  for await (const { record } of readEvents(session.directory, { fromSeq })) {
    if (record.type === "input" && record.source === "user") data += record.data;
  }
  return data;
}

/** Returns a function that makes the program write bytes to its terminal. */
function asker(session: Session): (bytes: string) => Promise<void> {
  let asked = 0;
  return async (bytes) => {
    asked += 1;
    await session.type(`!${Buffer.from(bytes, "latin1").toString("hex")}\n`);
    await session.wait({ text: `asked ${asked}.` }, PATIENT);
  };
}

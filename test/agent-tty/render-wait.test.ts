import {
  checkCondition,
  matchOffline,
  matchRenderWait,
  readEvents,
  type RenderWaitCondition,
  type RenderWaitMatch,
} from "agent-tty";
import { describe, expect, test, vi } from "vitest";
import { engine, PATIENT } from "./engine-fixture.ts";

describe("Render Wait conditions", () => {
  test("checkCondition accepts every kind of valid condition (A19)", () => {
    const accepts = (condition: RenderWaitCondition): void => checkCondition(condition);
    accepts({ text: "a" });
    accepts({ text: "x".repeat(1_000) });
    accepts({ regex: "x".repeat(200) });
    for (const regex of [
      "(abc)+",
      "(a|b)+",
      "^\\d+ items?$",
      "a{2,3}b*",
      "[(+*]+x",
      "(?:ab|cd){2}",
      "(ab?)?",
    ]) {
      accepts({ regex });
    }
    accepts({ cursorRow: 0, cursorCol: 0, screenStableMs: 0, afterSeq: 0 });
  });

  test("checkCondition refuses invalid conditions with a typed error (A19)", () => {
    const refuses = (condition: RenderWaitCondition): void => {
      const attempt = (): void => checkCondition(condition);
      expect(attempt).toThrow(expect.objectContaining({ code: "INVALID_WAIT_CONDITION" }));
    };
    refuses({});
    refuses({ afterSeq: 3 });
    refuses({ text: "a", regex: "b" });
    refuses({ text: "" });
    refuses({ text: "x".repeat(1_001) });
    refuses({ regex: "" });
    refuses({ regex: "x".repeat(201) });
    for (const regex of [
      "[",
      "(a+)+",
      "(.*)+",
      "([^)]*)+",
      "(a?){2}",
      "((ab)*)*",
      "(a|a)+",
      "(\\w|\\d)*",
      "(?:x+y)*",
    ]) {
      refuses({ regex });
    }
    refuses({ screenStableMs: -1 });
    refuses({ screenStableMs: 0.5 });
    refuses({ cursorRow: -1 });
    refuses({ cursorCol: 1.5 });
    refuses({ text: "a", afterSeq: 1.5 });
  });

  test("each part of a condition is evaluated separately (A19, A21)", () => {
    const screen = { visibleLines: ["booting", "found 42 items"], cursor: { row: 4, col: 2 }, seq: 12 };
    const check = (
      condition: RenderWaitCondition,
      stableForMs: number | null,
      expected: Partial<RenderWaitMatch>,
    ): void => expect(matchRenderWait(condition, screen, stableForMs)).toMatchObject(expected);
    check({ text: "42" }, null, { matched: true, matchedText: "42", baselineMatched: true });
    check({ text: "43" }, null, { matched: false, textMatched: false });
    check({ text: "items " }, null, { matched: true, matchedText: "items " });
    check({ text: "booting  \nfound " }, null, { matched: true });
    check({ text: "found  " }, null, { matched: false });
    check({ text: "  " }, null, { matched: false });
    check({ text: "42 it " }, null, { matched: false });
    check({ regex: "\\d+ items" }, null, { matched: true, matchedText: "42 items" });
    check({ regex: "^found" }, null, { matched: true });
    check({ text: "42", afterSeq: 12 }, null, { matched: false, textMatched: true, baselineMatched: false });
    check({ text: "42", afterSeq: 11 }, null, { matched: true });
    check({ cursorRow: 4, cursorCol: 2 }, null, { matched: true, matchedText: null });
    check({ text: "42", cursorRow: 5 }, null, { matched: false, cursorMatched: false });
    check({ screenStableMs: 500 }, null, {
      matched: false,
      stabilityMatched: false,
      contentAndCursorMatched: true,
    });
    check({ screenStableMs: 500 }, 499, { matched: false });
    check({ screenStableMs: 500 }, 500, { matched: true });
  });
});

describe("a live Render Wait", () => {
  test("a Render Wait matches text that is already there, text that comes later, regex, baseline and cursor (A19)", async () => {
    await using started = await engine();
    const session = await started.app("show-keys.mjs");
    expect(await session.wait({ text: "ready" }, PATIENT)).toMatchObject({
      type: "matched",
      matchedText: "ready",
    });
    expect(await session.wait({ text: "ready" }, PATIENT)).toMatchObject({ type: "matched" });
    const before = session.lastSeq();
    // The row shows that the line's last byte has arrived: a terminal may hand over one write in parts.
    const condition = { regex: "<6\\d>", afterSeq: before, cursorRow: 2, cursorCol: 0 };
    const pressed = session.wait(condition, PATIENT);
    await session.sendKeys(["a"]);
    expect(await pressed).toMatchObject({ type: "matched", matchedText: "<61>" });
    expect(
      await session.wait({ text: "ready", afterSeq: session.lastSeq() }, { callerTimeoutMs: 50 }),
    ).toMatchObject({
      type: "timed-out",
    });
  });

  test("stability requires the whole duration without a change (A19)", async () => {
    await using started = await engine();
    const session = await started.bash();
    await session.run("true", PATIENT);
    const ticking = session.run(
      "for i in 1 2 3 4 5 6; do echo tick $i; sleep 0.05; done; sleep 0.6",
      PATIENT,
    );
    await session.wait({ regex: "^tick 1" }, PATIENT);
    const result = await session.wait({ screenStableMs: 300 }, PATIENT);
    expect(result).toMatchObject({ type: "matched", matchedText: null });
    await ticking;
    const capturedAtSeq = result.capturedAtSeq;
    const outputTimes = await outputTimesFrom(session.directory, capturedAtSeq);
    // The time between the captured screen and the next output is the requested time, less the delay with which output is read.
    expect((outputTimes[1] ?? Number.POSITIVE_INFINITY) - (outputTimes[0] ?? 0)).toBeGreaterThan(200);
  });

  test("a resize is evaluated like new output (A19)", async () => {
    await using started = await engine();
    const session = await started.create({
      command: ["sh", "-c", "stty -echo; printf 'hello world\\nx'; cat"],
      cols: 8,
    });
    await session.wait({ text: "x" }, PATIENT);
    const whole = session.wait({ text: "hello world" }, PATIENT);
    await session.resize(40, 24);
    expect(await whole).toMatchObject({ type: "matched", matchedText: "hello world" });
  });

  test("a wait that times out returns the screen it saw (A19)", async () => {
    await using started = await engine();
    const session = await started.app("show-keys.mjs");
    await session.wait({ text: "ready" }, PATIENT);
    const result = await session.wait({ text: "never" }, { callerTimeoutMs: 50 });
    expect(result).toMatchObject({ type: "timed-out", visibleText: "ready" });
  });

  test("a Render Wait ends at once when the Session exits, either matched by the last output or interrupted (A19)", async () => {
    await using started = await engine();
    const session = await started.create({ command: ["sh", "-c", "read x; echo last words; exit 3"] });
    const never = session.wait({ text: "never" }, PATIENT);
    const last = session.wait({ text: "last words" }, PATIENT);
    await session.type("\n");
    expect(await last).toMatchObject({ type: "matched" });
    const interrupted = await never;
    expect(interrupted).toMatchObject({ type: "interrupted", exit: { type: "code", code: 3 } });
    expect(await session.wait({ text: "later" }, PATIENT)).toMatchObject({ type: "interrupted" });
    expect(await session.wait({ text: "last words" }, PATIENT)).toMatchObject({ type: "matched" });
  });

  test("a regex that passes the check but takes too long is stopped with a typed error (A19)", async () => {
    await using started = await engine();
    const session = await started.create({
      command: ["sh", "-c", "yes x | head -c 9000 | tr -d '\\n'; cat"],
    });
    await session.wait({ regex: "x{100}" }, PATIENT);
    const regex = "[^y]*[^y]*[^y]*[^y]*[^y]*y";
    await expect(session.wait({ regex }, PATIENT)).rejects.toMatchObject({ code: "REGEX_TOO_SLOW" });
  });

  test("a search that got no CPU time is repeated, and does not count as REGEX_TOO_SLOW (A19)", async () => {
    await using started = await engine();
    const session = await started.create({
      command: ["sh", "-c", "yes x | head -c 9000 | tr -d '\\n'; cat"],
    });
    await session.wait({ text: "x".repeat(100) }, PATIENT);
    const before = process.cpuUsage();
    const asked = vi.spyOn(process, "cpuUsage");
    // According to the system's CPU accounting, other processes used the CPU during the first search.
    asked.mockReturnValueOnce(before).mockReturnValueOnce({ user: 0, system: 0 });
    const waiting = session.wait({ regex: "[^y]*[^y]*[^y]*[^y]*[^y]*y" }, PATIENT);
    const error: unknown = await waiting.catch((reason: unknown) => reason);
    // Each search calls cpuUsage twice.
    const searches = asked.mock.calls.length / 2;
    asked.mockRestore();
    expect(error).toMatchObject({ code: "REGEX_TOO_SLOW" });
    expect(searches).toBeGreaterThan(1);
  });

  test("an abort rejects with the caller's reason (A19)", async () => {
    await using started = await engine();
    const session = await started.app("show-keys.mjs");
    const aborting = new AbortController();
    const waiting = session.wait({ text: "never" }, { ...PATIENT, signal: aborting.signal });
    aborting.abort(new Error("the caller left"));
    await expect(waiting).rejects.toThrow("the caller left");
  });

  test("offline, content and cursor match and stability is refused (A20, A21)", async () => {
    await using started = await engine();
    const session = await started.create({ command: ["sh", "-c", "echo all done"] });
    await session.exited;
    const { match } = await matchOffline(started.home, session.id, { text: "all done", cursorRow: 1 });
    expect(match.matched).toBe(true);
    await expect(
      matchOffline(started.home, session.id, { text: "all", screenStableMs: 1 }),
    ).rejects.toMatchObject({
      code: "STABILITY_NOT_PROVABLE_OFFLINE",
    });
  });
});

async function outputTimesFrom(directory: string, fromSeq: number): Promise<number[]> {
  const times: number[] = [];
  for await (const { record } of readEvents(directory, { fromSeq }))
    if (record.type === "output") times.push(record.t);
  return times;
}

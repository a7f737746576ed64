import { readEvents } from "agent-tty";
import { describe, expect, test } from "vitest";
import { type Engine, engine, PATIENT } from "../engine-fixture.ts";

describe("answers to terminal queries", () => {
  test("each query has exactly one answer, and queries for secrets are not answered (S10)", async () => {
    await using started = await engine();
    const hex = (text: string): string => Buffer.from(text).toString("hex").toUpperCase();
    const table: [query: string, answer: string][] = [
      ["\x1b[c", "\x1b[?1;2c"],
      ["\x1b[>c", "\x1b[>0;276;0c"],
      ["\x1b[5n", "\x1b[0n"],
      ["\x1b[3;7H\x1b[6n", "\x1b[3;7R"],
      ["\x1b[2;2H\x1b[?6n", "\x1b[?2;2R"],
      ["\x1b[?2026$p", "\x1b[?2026;2$y"],
      ["\x1b[?2004h\x1b[?2004$p", "\x1b[?2004;1$y"],
      ["\x1b[?4711$p", "\x1b[?4711;0$y"],
      ["\x1b[>0q", "\x1bP>|agent-tty\x1b\\"],
      ["\x1b[?u", "\x1b[?0u"],
      ["\x1b[>1u\x1b[=5;1u\x1b[?u\x1b[<u", "\x1b[?0u"],
      ["\x1b[?996n", "\x1b[?997;1n"],
      ["\x1b]7501;?\x1b\\", "\x1b]7501;?1\x1b\\"],
      ["\x1b]7501;state=idle:app=x\x1b\\", ""],
      ["\x1b[18t", "\x1b[8;12;60t"],
      [`\x1bP+q${hex("TN")}\x1b\\`, `\x1bP1+r${hex("TN")}=${hex("xterm-256color")}\x1b\\`],
      [
        `\x1bP+q${hex("RGB")};${hex("Co")}\x1b\\`,
        `\x1bP1+r${hex("RGB")}=${hex("8")};${hex("Co")}=${hex("256")}\x1b\\`,
      ],
      [`\x1bP+q${hex("; touch owned\r")}\x1b\\`, "\x1bP0+r\x1b\\"],
      ["\x1b]11;#ff0000\x07\x1b]11;?\x07", "\x1b]11;rgb:1616/1818/1d1d\x1b\\"],
      ["\x1b]10;?;?\x1b\\", "\x1b]10;rgb:dfdf/e2e2/e7e7\x1b\\\x1b]11;rgb:1616/1818/1d1d\x1b\\"],
      ["\x1b]0;; touch owned\r\x07\x1b[21t\x1b[20t\x1b[14t", ""],
      ["\x1b]52;c;?\x07\x1bP$qm\x1b\\\x05\x1b]4;1;?\x07\x1b[x", ""],
    ];
    const heard = await answers(
      started,
      table.map(([query]) => query),
    );
    expect(heard).toEqual(table.map(([, answer]) => answer));
  });
});

/** Returns the terminal's reply to each query, as it is in the Event Log. */
async function answers(started: Engine, queries: readonly string[]): Promise<string[]> {
  const session = await started.app("answer-log.mjs", { cols: 60, rows: 12 });
  await session.wait({ text: "ready" }, PATIENT);
  const heard: string[] = [];
  for (const [index, query] of queries.entries()) {
    const fromSeq = session.lastSeq() + 1;
    await session.type(`!${Buffer.from(query, "latin1").toString("hex")}\n`);
    await session.wait({ text: `asked ${index + 1}.` }, PATIENT);
    // Resolves when everything up to the mark is on disk.
    await session.mark("answered");
    let answer = "";
    for await (const { record } of readEvents(session.directory, { fromSeq })) {
      if (record.type === "input" && record.source === "terminal-reply") answer += record.data;
    }
    heard.push(answer);
  }
  return heard;
}

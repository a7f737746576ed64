import { readEvents } from "agent-tty";
import { expect, test } from "vitest";
import { recogniseTool } from "../../../src/tui/index.ts";
import { engine } from "../../agent-tty/engine-fixture.ts";
import { writeSession, type WrittenEvent } from "../../agent-tty/written-log.ts";

const mark = (label: string): WrittenEvent => ({ type: "mark", label });

test("the last mark names the tool, before or after a megabyte of output that looks like marks (H7)", async () => {
  await using started = await engine();
  const { home } = started;
  const output = Buffer.from(`{"type":"mark","label":"tui opencode"}\r\n`.repeat(10_000));
  const flood = Array.from({ length: 4 }, (): WrittenEvent => ({ output }));
  const unknown = { tool: null, observedVersion: null };
  const toolOf = async (history: readonly WrittenEvent[]): Promise<string | null> => {
    const { sessionId } = await writeSession(home, history);
    return (await recogniseTool(home, sessionId, unknown))?.tool ?? null;
  };
  expect(await toolOf(flood)).toBe(null);
  expect(await toolOf([mark("tui codex"), ...flood])).toBe("codex");
  expect(await toolOf([mark("tui codex"), ...flood, mark("tui gemini"), ...flood])).toBe("gemini");
  expect(await toolOf([...flood.slice(0, 2), mark("tui codex"), ...flood])).toBe("codex");
});

test("a reader of marks gets every mark with its position, and nothing else (A6)", async () => {
  await using started = await engine();
  const history = [mark("a"), { output: Buffer.from('"type":"mark"') }, mark('"type":"output"'), mark("c")];
  const { directory } = await writeSession(started.home, history);
  const all = [];
  for await (const { record, endOffset } of readEvents(directory)) all.push({ record, endOffset });
  const only = [];
  for await (const { record, endOffset } of readEvents(directory, { only: "mark" }))
    only.push({ record, endOffset });
  expect(only).toEqual(all.filter(({ record }) => record.type === "mark"));
  expect(only).toHaveLength(3);
});

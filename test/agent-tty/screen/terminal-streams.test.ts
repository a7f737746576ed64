import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaySession } from "agent-tty";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { engine } from "../engine-fixture.ts";
import { writeSession } from "../written-log.ts";

/** Written by `npm run test:terminals -- --write`: bytes, and the screen that tmux shows for them. */
const DIRECTORY = join(import.meta.dirname, "../../fixtures/terminal-streams");
const fixtureSchema = z.strictObject({
  name: z.string(),
  cols: z.number(),
  rows: z.number(),
  base64: z.base64(),
  lines: z.array(z.string()),
  cursor: z.object({ row: z.number(), col: z.number() }),
});

describe("byte streams that tmux and this engine show in the same way", () => {
  test("the streams result in the screens and cursors of their fixtures (A7, A8)", async () => {
    await using started = await engine();
    const files = await readdir(DIRECTORY);
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const fixture = fixtureSchema.parse(JSON.parse(await readFile(join(DIRECTORY, file), "utf8")));
      const output = Buffer.from(fixture.base64, "base64");
      const { sessionId } = await writeSession(started.home, [{ output }], fixture);
      const { visibleLines, cursor } = await replaySession(started.home, sessionId);
      const shown = { name: fixture.name, lines: visibleLines, cursor: { row: cursor.row, col: cursor.col } };
      expect(shown).toEqual({ name: fixture.name, lines: fixture.lines, cursor: fixture.cursor });
    }
  });
});

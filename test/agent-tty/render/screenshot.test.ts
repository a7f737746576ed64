import { createHash } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { captureScreenshot, readArtifacts, replayDetailedSnapshot } from "agent-tty";
import { describe, expect, test } from "vitest";
import { engine } from "../engine-fixture.ts";
import { writeSession } from "../written-log.ts";
import { CELL, cellColors, compareCells, type Pixels } from "./cell-colors.ts";
import { pixelsOf, printed, screenshotOf } from "./drawn-screen.ts";

const SCREENS = join(import.meta.dirname, "../../fixtures/screens");
const LOOK = { theme: "dark", showCursor: false } as const;

async function draw(text: string, look: Parameters<typeof screenshotOf>[2] = {}): Promise<Pixels> {
  await using started = await engine();
  const sessionId = await printed(started.home, Buffer.from(text));
  const png = await screenshotOf(started.home, sessionId, look);
  return await pixelsOf(png);
}

/** Returns the colour of the pixel at x, y of a cell as `#rrggbb`. */
function colorAt({ data, width }: Pixels, row: number, col: number, x = 0, y = 0): string {
  const at = ((CELL.margin + row * CELL.height + y) * width + CELL.margin + col * CELL.width + x) * 4;
  return `#${Buffer.from(data.subarray(at, at + 3)).toString("hex")}`;
}

describe("screenshot", () => {
  test("a screenshot creates one result, one PNG and one index entry, all of the same sequence (A12)", async () => {
    await using started = await engine();
    const log = await writeSession(started.home, [
      { output: Buffer.from("first") },
      { output: Buffer.from("\r\nsecond") },
      { type: "resize", cols: 20, rows: 5 },
    ]);
    const artifacts = join(log.directory, "artifacts");
    await mkdir(artifacts);
    const check = async (atSeq: number, size: { cols: number; rows: number }): Promise<string> => {
      const snapshot = await replayDetailedSnapshot(started.home, log.sessionId, { atSeq });
      const result = await captureScreenshot(started.home, log.sessionId, snapshot, LOOK);
      const png = await readFile(result.artifactPath);
      const { width, height } = await pixelsOf(png);
      const sha256 = createHash("sha256").update(png).digest("hex");
      expect(result).toMatchObject({ ...size, width, height, sha256, capturedAtSeq: atSeq });
      expect((await readArtifacts(artifacts)).at(-1)).toMatchObject({
        type: "screenshot",
        file: result.artifactPath.slice(artifacts.length + 1),
        capturedAtSeq: atSeq,
        sha256,
        sizeBytes: png.byteLength,
      });
      return sha256;
    };
    const shas = [
      await check(2, { cols: 40, rows: 10 }),
      await check(3, { cols: 40, rows: 10 }),
      await check(4, { cols: 20, rows: 5 }),
      await check(2, { cols: 40, rows: 10 }),
    ];
    expect(shas[3]).toBe(shas[0]);
    expect(new Set(shas).size).toBe(3);
    expect(await readArtifacts(artifacts)).toHaveLength(4);
    expect((await readdir(artifacts)).filter((name) => name.endsWith(".png"))).toHaveLength(4);
  });

  test("every screen looks the same as the same bytes in xterm.js in Chromium (P7)", async () => {
    await using started = await engine();
    const check = async (name: string): Promise<void> => {
      const reference = (await readFile(join(SCREENS, `${name}.cells`), "utf8")).trimEnd().split("\n");
      const bytes = await readFile(join(SCREENS, `${name}.ansi`));
      const sessionId = await printed(started.home, bytes);
      const ours = cellColors(await pixelsOf(await screenshotOf(started.home, sessionId)));
      expect({ name, differing: compareCells(ours, reference) }).toEqual({ name, differing: [] });
      // The comparison must detect a screen that is shifted by one row.
      expect(compareCells([...ours.slice(-1), ...ours.slice(0, -1)], reference).length).toBeGreaterThan(40);
    };
    for (const name of ["styles", "lines", "unicode", "vim", "less"]) await check(name);
  });

  test("a screenshot uses the colours of the theme, the palette and the program (P7)", async () => {
    const check = async (look: { theme: "dark" | "light" }, expected: string[]): Promise<void> => {
      const pixels = await draw(
        "\x1b[41m \x1b[105m \x1b[48;5;196m \x1b[48;5;244m \x1b[48;2;1;2;3m \x1b[0;7m \x1b[0m ",
        look,
      );
      expect(expected.map((_, col) => colorAt(pixels, 0, col))).toEqual(expected);
    };
    await check({ theme: "dark" }, [
      "#e5534b",
      "#d2a8ff",
      "#ff0000",
      "#808080",
      "#010203",
      "#dfe2e7",
      "#16181d",
    ]);
    await check({ theme: "light" }, [
      "#cf222e",
      "#a475f9",
      "#ff0000",
      "#808080",
      "#010203",
      "#24292f",
      "#ffffff",
    ]);
  });

  test("lines and blocks join across cells (P7)", async () => {
    const check = async (left: string, right: string): Promise<void> => {
      const pixels = await draw(left + right);
      const edge = (col: number, x: number): string[] =>
        Array.from({ length: CELL.height }, (_, y) => colorAt(pixels, 0, col, x, y));
      expect({ left, right, edge: edge(0, CELL.width - 1) }).toEqual({ left, right, edge: edge(1, 0) });
      expect(new Set(edge(0, CELL.width - 1)).size).toBeGreaterThan(1);
    };
    for (const pair of [
      "──",
      "━━",
      "══",
      "┼─",
      "╬═",
      "╋━",
      "╭─",
      "─╯",
      "┌┐",
      "╚╝",
      "┏┓",
      "╞╡",
      "▄▄",
      "▀▀",
      "╼━",
    ])
      await check(pair.charAt(0), pair.charAt(1));
  });

  test("the cursor is drawn only on request, in its shape, over a whole wide character (P7)", async () => {
    const cursor = "#dfe2e7";
    const check = async (
      bytes: string,
      lit: [x: number, y: number][],
      dark: [x: number, y: number][],
    ): Promise<void> => {
      const shown = await draw(bytes, { showCursor: true });
      for (const [x, y] of lit) expect(colorAt(shown, 0, 0, x, y)).toBe(cursor);
      for (const [x, y] of dark) expect(colorAt(shown, 0, 0, x, y)).not.toBe(cursor);
      const hidden = await draw(bytes);
      for (const [x, y] of lit) expect(colorAt(hidden, 0, 0, x, y)).not.toBe(cursor);
    };
    await check(
      "\x1b[2 q",
      [
        [0, 0],
        [9, 19],
      ],
      [[10, 0]],
    );
    await check(
      "\x1b[4 q",
      [
        [0, 19],
        [9, 18],
      ],
      [[0, 0]],
    );
    await check(
      "\x1b[6 q",
      [
        [0, 0],
        [1, 19],
      ],
      [[5, 10]],
    );
    await check(
      "漢\x1b[1;1H\x1b[2 q",
      [
        [0, 0],
        [19, 19],
      ],
      [[20, 0]],
    );
    await check("\x1b[2 q\x1b[?25l", [], [[0, 0]]);
  });

  test("a character without a glyph in the bundled fonts is drawn as a hollow box on every machine (P7)", async () => {
    const [unknown, other] = [await draw("\ue123"), await draw("\u{10fffd}")];
    expect(cellColors(unknown)).toEqual(cellColors(other));
    expect(colorAt(unknown, 0, 0, 2, 10)).toBe("#dfe2e7");
    expect(colorAt(unknown, 0, 0, 5, 10)).toBe("#16181d");
  });

  test("a picture that would use up the machine's memory is refused with PICTURE_TOO_LARGE (P7)", async () => {
    await using started = await engine();
    const sessionId = await printed(started.home, Buffer.from("x"), { cols: 1000, rows: 1000 });
    await expect(screenshotOf(started.home, sessionId)).rejects.toMatchObject({ code: "PICTURE_TOO_LARGE" });
  });
});

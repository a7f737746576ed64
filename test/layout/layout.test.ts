import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  displayWidth,
  fitText,
  flowItems,
  hangingLines,
  layTable,
  wrapText,
} from "../../src/layout/index.ts";

test("a width counts terminal columns: CJK and emoji take two, combining accents and colour codes none", () => {
  const rows: [string, number][] = [
    ["abc", 3],
    ["日本語", 6],
    ["✅", 2],
    ["👩‍👩‍👧", 2],
    ["e\u0301", 1],
    ["\u001b[31mred\u001b[39m", 3],
  ];
  for (const [text, width] of rows) expect([text, displayWidth(text)]).toEqual([text, width]);
});

test("a truncated text is marked, fits, and splits no character", () => {
  expect(fitText("日本語のタイトル", 7)).toBe("日本語…");
  expect(fitText("short", 7)).toBe("short");
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.integer({ min: 2, max: 30 }),
      (text, columns) => {
        const cut = fitText(text, columns);
        expect(displayWidth(cut)).toBeLessThanOrEqual(columns);
        if (cut !== text) expect(text.startsWith(cut.slice(0, -1)) && cut.endsWith("…")).toBe(true);
      },
    ),
  );
});

test("lines are wrapped only when there is a limit, and none is wider than the limit", () => {
  expect(wrapText("one two three", 8)).toEqual(["one two", "three"]);
  expect(wrapText("日本語の長いタイトル", 8)).toEqual(["日本語の", "長いタイ", "トル"]);
  expect(wrapText("one two three", Number.POSITIVE_INFINITY)).toEqual(["one two three"]);
  expect(hangingLines("✅ ", "one two three", 10)).toEqual(["✅ one two", "   three"]);
});

test("items share lines, and none is split, so that a URL stays whole", () => {
  expect(flowItems(["a", "b", "https://example.test/long/address", "c"], 20)).toEqual([
    "a · b",
    "https://example.test/long/address",
    "c",
  ]);
});

test("a table aligns wide characters, and wraps a cell in a narrow column", () => {
  const rows = [
    ["issue", "title"],
    ["#1", "日本語 title"],
    ["#2", "a title that is too long"],
  ];
  expect(layTable(rows, { columns: 100, flexible: [1] })).toEqual([
    "issue  title",
    "#1     日本語 title",
    "#2     a title that is too long",
  ]);
  expect(layTable(rows, { columns: 22, flexible: [1] })).toEqual([
    "issue  title",
    "#1     日本語 title",
    "#2     a title that is",
    "       too long",
  ]);
});

test("a table that is too wide breaks no word while another column can give way", () => {
  const table = layTable(
    [
      ["issue", "title", "result", "why"],
      ["#7", "parseDuration: support months and years", "ready-for-human", "needs-triage"],
      [
        "#10",
        "parseDuration returns far too much",
        "ready-for-agent",
        "needs-info-with-new-activity, reproduction-verified",
      ],
    ],
    { columns: 80, flexible: [1, 3] },
  );
  expect(table).toEqual([
    "issue  title                      result           why",
    "#7     parseDuration: support     ready-for-human  needs-triage",
    "       months and years",
    "#10    parseDuration returns far  ready-for-agent  needs-info-with-new-activity,",
    "       too much                                    reproduction-verified",
  ]);
  const broken = layTable([["a-word-of-many-letters", "another-such-word"]], {
    columns: 30,
    flexible: [0, 1],
  });
  expect(broken).toEqual(["a-word-of-many  another-such-w", "-letters        ord"]);
});

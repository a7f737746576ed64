import { expect, test } from "vitest";
import { answer, detector, message, prompt, screenOf, workedFor, working } from "./codex-screens.ts";

const lines = Array.from({ length: 40 }, (_, index) => `Line ${index} of an answer that repeats itself`);

/** Returns the reasons at given times (in milliseconds), each with the number of lines of the answer. */
function reasonsAt(
  frames: readonly (readonly [atMs: number, count: number])[],
  version = "0.116.0",
): readonly string[] {
  const codex = detector(version);
  const seen = frames.map(([atMs, count]) => {
    const shown = lines.slice(0, count).slice(-30);
    const head =
      count > 30 ? shown.map((line) => `  ${line}`).join("\n") : message("do it") + answer(shown.join("\n"));
    return codex.detect(screenOf(prompt(head)), atMs).activeReasons;
  });
  return seen.at(-1) ?? [];
}

test("text that grows without any other sign is work (H9, H29)", () => {
  expect(
    reasonsAt([
      [0, 1],
      [500, 4],
    ]),
  ).toEqual(["transcript_growth"]);
  expect(
    reasonsAt([
      [0, 1],
      [500, 4],
      [2_900, 4],
    ]),
  ).toEqual([]);
  expect(
    reasonsAt([
      [0, 1],
      [500, 4],
      [1_500, 4],
      [2_900, 4],
    ]),
  ).toEqual(["transcript_growth"]);
  expect(
    reasonsAt([
      [0, 20],
      [400, 28],
      [800, 36],
    ]),
  ).toEqual(["transcript_growth"]);
});

test("a sparse window, a short addition and a redraw are not growth (H9)", () => {
  expect(
    reasonsAt([
      [0, 1],
      [3_500, 4],
    ]),
  ).toEqual([]);
  expect(
    reasonsAt([
      [0, 2],
      [500, 2],
    ]),
  ).toEqual([]);
  expect(
    reasonsAt([
      [0, 12],
      [500, 8],
    ]),
  ).toEqual([]);
});

test("growth is not used if the program or a row shows the state (H9)", () => {
  const codex = detector("0.169.0");
  const idle = { title: "acme-api", report: "state=idle:app=codex" };
  codex.detect(screenOf(prompt(message("do it") + answer(lines[0] ?? "")), idle), 0);
  expect(
    codex.detect(screenOf(prompt(message("do it") + answer(lines.join("\n"))), idle), 200).activeReasons,
  ).toEqual([]);
  const ended = detector("0.169.0");
  ended.detect(screenOf(prompt(message("do it") + answer(lines[0] ?? ""))), 0);
  const done = prompt(message("do it") + answer(lines.slice(0, 9).join("\n")) + workedFor());
  expect(ended.detect(screenOf(done), 200).activeReasons).toEqual([]);
});

test("the last disappearance of the working row ends a Turn in versions where it returns after every line (H29)", () => {
  const codex = detector("0.98.0");
  const at = (count: number, atMs: number, row = ""): readonly string[] => {
    const above = message("do it") + answer(lines.slice(0, count).join("\n")) + row;
    return codex.detect(screenOf(prompt(above)), atMs).activeReasons;
  };
  at(1, 0, working());
  at(6, 100);
  expect(at(12, 350)).toEqual([]);
});

test("a working row that disappears briefly while a line is inserted still counts (H29)", () => {
  const above = message("do it") + answer("Half an answer");
  for (const [version, blinkMs] of [
    ["0.98.0", 300],
    ["0.116.0", 150],
  ] as const) {
    const codex = detector(version);
    const at = (text: string, atMs: number): readonly string[] =>
      codex.detect(screenOf(prompt(text)), atMs).activeReasons;
    expect(at(above + working(), 0)).toEqual(["status_row"]);
    expect(at(above, blinkMs - 1)).toEqual(["status_row"]);
    expect(at(above, blinkMs)).toEqual([]);
  }
});

test("the same screens at the same times produce the same signals (H9)", () => {
  const frames = [0, 300, 700, 1_500, 4_000].map((atMs, index) => [atMs, 3 * index + 1] as const);
  expect(reasonsAt(frames)).toEqual(reasonsAt(frames));
});

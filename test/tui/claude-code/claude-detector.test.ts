import { expect, test } from "vitest";
import type { TuiSignals } from "../../../src/tui/index.ts";
import {
  answer,
  box,
  COLORLESS,
  completion,
  DARK,
  detector,
  failure,
  interruption,
  LIGHT_16,
  message,
  screenOf,
  spinner,
  tool,
} from "./painted-screens.ts";

const GREY = DARK.grey;
const FAINT = "\x1b[2m";
const INVERSE = "\x1b[7m";
const PLAIN = "\x1b[0m";
const asked = message(DARK, "do it");

function check(text: string, expected: Partial<Record<keyof TuiSignals, unknown>>, title = ""): void {
  expect(detector().detect(screenOf(text, title), 0)).toMatchObject(expected);
}

test("each sign of work suffices, and the Turn's text is not a sign (H23, H29)", () => {
  const still = asked + answer(DARK, "It adds.");
  check(box(DARK, still), { activeReasons: [] });
  check(box(DARK, still, { isWorking: true }), { activeReasons: ["dimmed_prompt"] });
  check(box(LIGHT_16, still, { isWorking: true }), { activeReasons: ["dimmed_prompt"] });
  check(box(DARK, still), { activeReasons: ["title_spinner"] }, "⠐ Acme");
  check(box(DARK, still, { footer: "  ? for shortcuts · esc to …" }), {
    activeReasons: ["interruptable_footer"],
  });
  check(box(DARK, asked + spinner(DARK)), { activeReasons: ["spinner_row"] });
  const retry = asked + spinner(DARK).replace("Infusing… ", "API error · Retrying in 4s · attempt 2/10");
  check(box(DARK, retry), { activeReasons: ["spinner_row"], ending: null });
  const reporting = { ...screenOf(box(DARK, still)), programReport: "state=working" };
  expect(detector().detect(reporting, 0).activeReasons).toEqual(["program_report"]);
});

test("a Turn that waits for background agents is at work without a title and a report (H29)", () => {
  const waiting = (theme: typeof DARK, rest: string): string =>
    box(
      theme,
      `${asked}${answer(theme, "Started.")}${theme.grey}✻${PLAIN} ${theme.grey}Waiting for ${rest}${PLAIN}\n\n`,
    );
  const atWork = { activeReasons: ["collaboration_cell"], ending: null, readyPosture: "unknown" };
  check(waiting(DARK, "1 background agent to finish"), atWork);
  check(waiting(LIGHT_16, "2 background agents and 1 dynamic workflow to finish"), atWork);
  const quoted = answer(DARK, "Started.") + "✻ Waiting for 1 background agent to finish\n\n";
  check(box(DARK, asked + quoted), { activeReasons: [] });
});

test("during work an empty prompt makes the posture unknown and a draft makes it no (H22–H24)", () => {
  const working = { isWorking: true };
  check(box(DARK, asked), { acceptingInput: "yes", readyPosture: "yes" });
  check(box(DARK, asked, working), { acceptingInput: "yes", readyPosture: "unknown" });
  check(box(DARK, asked, { ...working, input: "and then" }), { acceptingInput: "yes", readyPosture: "no" });
});

test("placeholders and ghost suggestions are not the user's text, but a wrapped draft is (H21)", () => {
  check(box(DARK, "\n"), { editingInput: "no" });
  check(box(DARK, "\n", { input: `${INVERSE}T${PLAIN}${FAINT}ry "fix lint errors"${PLAIN}` }), {
    editingInput: "no",
  });
  check(box(DARK, "\n", { input: `${INVERSE}r${PLAIN}${GREY}un the tests${PLAIN}` }), { editingInput: "no" });
  check(box(DARK, "\n", { input: "a draft that wraps\nover two rows" }), {
    editingInput: "yes",
    evidence: expect.arrayContaining([
      { signal: "editing_input", row: 2, text: "a draft that wraps over two rows" },
    ]) as unknown,
  });
  check(box(DARK, "\n", { input: `${GREY}/model${PLAIN} son` }), { editingInput: "yes" });
  check(box(DARK, "\n", { input: "\x1b[4munderlined\x1b[0m" }), { editingInput: "unknown" });
  check(box(COLORLESS, "\n", { input: "plain draft" }), { editingInput: "yes" });
  const placeholder = box(COLORLESS, "\n").replace("▮", '▮Try "fix lint errors"');
  check(placeholder, { editingInput: "no" });
});

test("a shell command in the box is a draft, even before its first letter (H21, H39)", () => {
  for (const footer of ["  ! for shell mode", "  ! for bash mode"])
    for (const input of ["", "sleep 6; echo out"]) {
      const shell = box(DARK, "\n", { input, footer }).replace("❯", "!");
      check(shell, { surface: { type: "composer" }, editingInput: "yes", readyPosture: "yes" });
    }
  const panel = { footer: "  ! for shell mode      esc esc to clear input\n  / for commands" };
  check(box(DARK, "\n", panel), { surface: { type: "menu" }, acceptingInput: "unknown" });
});

test("a draft taller than its box is recognised although its first rows are hidden (H21)", () => {
  const rule = "─".repeat(60);
  const rows = Array.from({ length: 12 }, (_, row) => `  line ${row}`).join("\n");
  const draft = { surface: { type: "composer" }, acceptingInput: "yes", editingInput: "yes" };
  check(`● Done.\n\n─── ↑ 21 more ${rule}\n${rows}▮\n${rule}\n  ? for shortcuts`, draft);
  check(`${rows}▮\n${rule}\n  ? for shortcuts`, draft);
  // An answer over a half-painted frame does not contain the cursor.
  check(`${rows}\n${rule}\n▮`, { acceptingInput: "unknown" });
});

test("the detector reads how the latest Turn ended (H33, H35, H36)", () => {
  const done = answer(DARK, "It adds.") + completion(DARK);
  check(box(DARK, asked + done), { ending: { type: "success_announced" } });
  check(box(DARK, asked + answer(DARK, "It adds.")), { ending: { type: "success_candidate" } });
  check(box(DARK, asked + tool(DARK, "12 pas") + interruption(DARK)), { ending: { type: "interrupted" } });
  const failed = failure(DARK, "API Error: 500 Internal server error. Try again\n  in a moment.");
  const error = "API Error: 500 Internal server error. Try again in a moment.";
  const expected = { ending: { type: "known_failure", error }, currentError: error };
  check(box(DARK, asked + failed), expected);
  check(box(DARK, asked + failed + completion(DARK)), expected);
  check(box(DARK, asked + failed + completion(DARK) + message(DARK, "again") + done), {
    ending: { type: "success_announced" },
    currentError: null,
  });
  check(box(DARK, message(DARK, "/model") + `${GREY}  ⎿ \u00a0Kept model${PLAIN}\n\n`), { ending: null });
  check(box(DARK, asked), { ending: null });
});

test("the absence of the spinner ends a Turn in versions that show it throughout (H33)", () => {
  const check = (version: string, expected: string): void => {
    const tracked = detector(version);
    const above = asked + answer(DARK, "It adds.");
    const seen = [above + spinner(DARK), above].map((text, at) =>
      tracked.detect(screenOf(box(DARK, text), ""), at * 1_000),
    );
    expect(seen.map(({ ending }) => ending?.type ?? null)).toEqual([null, expected]);
  };
  check("2.0.76", "success_announced");
  check("2.1.197", "success_candidate");
});

test("a Turn that is stopped before its first word is interrupted", () => {
  const tracked = detector();
  tracked.detect(screenOf(box(DARK, asked + spinner(DARK), { isWorking: true }), "⠂ Acme"), 0);
  // The next message of a queue may be shown briefly before its work begins.
  const next = asked + answer(DARK, "It adds.") + message(DARK, "and then");
  expect(tracked.detect(screenOf(box(DARK, next), "✳ Acme"), 400).ending).toBeNull();
  expect(tracked.detect(screenOf(box(DARK, asked), "✳ Acme"), 500).ending?.type).toBe("interrupted");
});

test("an end keeps its signature when scrolled and rewrapped, and the same end of the next Turn has another signature", () => {
  const tracked = detector();
  const signature = (text: string): string | undefined => tracked.detect(screenOf(text), 0).ending?.signature;
  const done = asked + answer(DARK, "Ready it is, and waits.") + completion(DARK);
  const first = signature(box(DARK, done));
  expect(first).toBeDefined();
  expect(signature(box(DARK, done.replace("and waits", "and\n  waits")))).toBe(first);
  expect(signature(box(DARK, done.replace(asked, "")))).toBe(first);
  expect(signature(box(DARK, asked + spinner(DARK), { isWorking: true }))).toBeUndefined();
  expect(signature(box(DARK, done))).not.toBe(first);
});

test("a message over the box on the background of messages is pending input", () => {
  const queued = `${asked}${spinner(DARK)}  ${DARK.message}❯ and then${PLAIN}\n`;
  check(box(DARK, queued, { isWorking: true }), { pendingInput: "yes" });
  check(box(DARK, asked + spinner(DARK)), { pendingInput: "no" });
  check(box(DARK, `${asked}${spinner(DARK)}  ${GREY}⎿${PLAIN}\n  ❯ quoted\n`), { pendingInput: "unknown" });
});

test("without colours and title, an answer that grows after work was seen is work", () => {
  const tracked = detector();
  const look = (above: string, atMs: number): readonly string[] =>
    tracked.detect(screenOf(box(COLORLESS, message(COLORLESS, "do it") + above)), atMs).activeReasons;
  expect(look(spinner(COLORLESS), 0)).toEqual(["spinner_row"]);
  expect(look(answer(COLORLESS, "Step 1"), 1_000)).toEqual(["transcript_growth"]);
  expect(look(answer(COLORLESS, "Step 1\n\nStep 2"), 2_000)).toEqual(["transcript_growth"]);
  expect(look(answer(COLORLESS, "Step 1\n\nStep 2"), 5_001)).toEqual([]);
  expect(look(answer(COLORLESS, "Step 1\n\nStep 2") + completion(COLORLESS), 5_100)).toEqual([]);
});

test("the old screen after a resize keeps the earlier signals for a second", () => {
  const tracked = detector();
  const working = box(DARK, asked + spinner(DARK), { isWorking: true });
  tracked.detect(screenOf(working), 0);
  const torn = { ...screenOf(`${asked}────────\n────\n❯`), cols: 60 };
  expect(tracked.detect(torn, 100)).toMatchObject({
    surface: { type: "composer" },
    activeReasons: ["spinner_row", "dimmed_prompt"],
  });
  expect(tracked.detect(torn, 1_200)).toMatchObject({ surface: { type: "other" }, activeReasons: [] });
});

test("a TUI that has ended is recognised despite its picture, its title and a moving cursor (H14)", () => {
  const working = box(DARK, asked + spinner(DARK), { isWorking: true });
  const killed = working.replace("▮", "").replace("❯\u00a0\x1b[0m", "❯\u00a0\x1b[0mKilled\ndev@box:~$ ▮");
  const departed = { surface: { type: "departed" }, activeReasons: [], readyPosture: "unknown" };
  check(killed, departed, "⠂ Acme");
  const tracked = detector();
  tracked.detect(screenOf(killed, "⠂ Acme"), 0);
  expect(tracked.detect(screenOf(killed.replace("$ ▮", "$ ls▮"), "⠂ Acme"), 100)).toMatchObject(departed);
  const straying = { ...screenOf(working, "⠂ Acme"), cursor: { row: 9, col: 20, visible: false } };
  expect(detector().detect(straying, 0).surface.type).toBe("composer");
  const left = screenOf(box(DARK, asked));
  expect(detector().detect({ ...left, cursor: { row: 6, col: 0, visible: true } }, 0).surface.type).toBe(
    "departed",
  );
});

test("a program that shows the cursor again and resets the title has ended (H14)", () => {
  const tracked = detector();
  const ready = screenOf(box(DARK, asked), "✳ Acme");
  expect(tracked.detect(ready, 0).surface.type).toBe("composer");
  const left = { ...ready, title: "", cursor: { row: 3, col: 2, visible: true } };
  expect(tracked.detect(left, 100).surface.type).toBe("departed");
  expect(tracked.detect(left, 200).surface.type).toBe("departed");
});

test("a draft under `❯` is not proven in unknown versions (H6)", () => {
  const drafted = screenOf(box(DARK, "\n", { input: "a draft" }));
  expect(detector("2.0.76").detect(drafted, 0).editingInput).toBe("unknown");
  const old = { ...drafted, lines: drafted.lines.map((line) => line.replace("❯", ">")) };
  expect(detector("2.0.76").detect(old, 0).editingInput).toBe("yes");
});

test("a Turn that ended with a background shell still running is over, whatever its report says (H29)", () => {
  const row = completion(DARK).replace(/(for \d+s)/, "$1 · done 3:28 PM · 1 shell still running");
  const over = screenOf(box(DARK, asked + answer(DARK, "It runs.") + row), "✳ Acme");
  const report = (state: string, message: string): string =>
    `state=${state}:app=claude-code:msg=${Buffer.from(message).toString("base64")}`;
  const read = (programReport: string): TuiSignals =>
    detector("2.1.330").detect({ ...over, programReport }, 0);
  for (const left of ["1 shell still running", "2 shells still running", "1 shell, 1 monitor still running"])
    expect(read(report("working", left))).toMatchObject({
      activeReasons: [],
      readyPosture: "yes",
      ending: { type: "success_announced" },
    });
  for (const doing of ["Checking what is still running", "1 of 3"])
    expect(read(report("working", doing)).activeReasons).toEqual(["program_report"]);
});

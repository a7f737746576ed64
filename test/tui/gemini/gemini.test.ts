import { expect, test } from "vitest";
import { resolveProfile, type TuiDetector, type TuiScreen, type TuiSignals } from "../../../src/tui/index.ts";
import { ansiScreen } from "../../support/tui-recordings/index.ts";

const RULE = "▄".repeat(60);
const CLOSE = "▀".repeat(60);
const READY = "◇  Ready (acme-api)   ";
const WORKING = "✦  Working… (acme-api)   ";
const spinner = " ⠙ Thinking... (esc to cancel, 3s)                 ? for shortcuts";
const empty = "\x1b[7m \x1b[0m Type your message or @path/to/file";
const asked = `${RULE}\n > write an essay\n${CLOSE}`;

function screenOf(text: string, title: string): TuiScreen {
  return { ...ansiScreen(text), title, cursor: { row: 0, col: 3, visible: false } };
}

function boxed(above: string, input = empty): string {
  return `${above}\n${RULE}\n > ${input}\n${CLOSE}\n workspace (/directory)     sandbox      /model\n ~/acme-api                 no sandbox   gemini-2.5-pro`;
}

function detector(): TuiDetector {
  return resolveProfile({ tool: "gemini", observedVersion: "0.61.0" }).profile.create();
}

function check(text: string, title: string, expected: Partial<TuiSignals>): void {
  expect(detector().detect(screenOf(text, title), 0)).toMatchObject(expected);
}

test("gemini has a detector family for which no version counts as tested (H11)", () => {
  const { profile, profileExtrapolated } = resolveProfile({ tool: "gemini", observedVersion: "0.61.0" });
  expect([profile.family, profile.name, profileExtrapolated]).toEqual(["gemini_cli", "fallback", true]);
});

test("a prompt is ready only if the title matches (H18, H21, H22)", () => {
  check(boxed("✦ Done."), READY, {
    acceptingInput: "yes",
    editingInput: "no",
    readyPosture: "yes",
    ending: null,
  });
  check(boxed("", "half a message\x1b[7m \x1b[0m"), READY, { editingInput: "yes", readyPosture: "yes" });
  check(boxed("", "Type your message or @path/to/file"), READY, { editingInput: "unknown" });
  check(boxed(""), "", { acceptingInput: "yes", readyPosture: "unknown" });
});

test("the title and the row above the prompt each show work (H23, H29)", () => {
  check(boxed(asked), WORKING, { readyPosture: "no", activeReasons: ["title_spinner"], ending: null });
  check(boxed(`${asked}\n${spinner}`), READY, { readyPosture: "no", activeReasons: ["spinner_row"] });
  check(boxed(`✦ The row reads\n  ⠙ Thinking... (esc to cancel, 3s)`), READY, {
    activeReasons: [],
    readyPosture: "yes",
  });
});

test("a question replaces the prompt (H19)", () => {
  const approval = `✦ I'll run it.\n│ ? Shell  npm test      │\n│ Allow execution of [Shell]?   │\n│                        │\n│ ● 1. Allow once        │\n│   2. Allow for this session │\n│   3. No, suggest changes (esc) │\n╰────────╯`;
  const choices = ["Allow once", "Allow for this session", "No, suggest changes (esc)"];
  check(approval, "✋  Action Required (acme-api)", {
    surface: {
      type: "dialog",
      dialog: {
        kind: "permission",
        heading: "? Shell npm test Allow execution of [Shell]?",
        choices,
        selected: 0,
      },
    },
    acceptingInput: "no",
    readyPosture: "unknown",
  });
  check("something unknown", "✋  Action Required (acme-api)", {
    acceptingInput: "no",
    readyPosture: "unknown",
  });
});

test("when a Turn that was seen working comes to rest, the last entry above the prompt is its end (H33, H35, H36)", () => {
  for (const [above, type] of [
    ["✦ Done.", "success_announced"],
    ["✦ Half an\n\nℹ Request cancelled.", "interrupted"],
    ["✕ [API Error: 500 Internal Server Error]", "known_failure"],
    [
      "✕ [API Error: 401]\n\nℹ This request failed. Press F12 for diagnostics, or run /settings",
      "known_failure",
    ],
    ["✕ [API Error: 500]\n\n✦ Done after all.\n\nℹ A notice.", "success_announced"],
  ] as const) {
    const gemini = detector();
    gemini.detect(screenOf(boxed(`${asked}\n${spinner}`), WORKING), 0);
    expect(gemini.detect(screenOf(boxed(`${asked}\n${above}`), READY), 500).ending?.type).toBe(type);
  }
});

test("a brief redraw that removes rows changes nothing, and a longer one proves nothing (H9)", () => {
  const gemini = detector();
  const whole = gemini.detect(screenOf(boxed("✦ Done."), READY), 0);
  expect(gemini.detect(screenOf("✦ Done.", READY), 250)).toEqual(whole);
  expect(gemini.detect(screenOf("✦ Done.", WORKING), 300).readyPosture).toBe("unknown");
  expect(gemini.detect(screenOf("✦ Done.", READY), 1_000).readyPosture).toBe("unknown");
});

test("a visible terminal cursor means that another program has the terminal (H20)", () => {
  const shell = { ...screenOf(boxed("✦ Done."), READY), cursor: { row: 9, col: 4, visible: true } };
  expect(detector().detect(shell, 0)).toMatchObject({ acceptingInput: "unknown", readyPosture: "unknown" });
});

const RULER = "─".repeat(80);

/** Returns the screen without COLORTERM: blank rows replace the edges of the box. */
function unboxed(above: string, input = empty, sign = ">"): string {
  return `${above}\n${RULER}\n Shift+Tab to accept edits\n\n ${sign} ${input}\n\n workspace (/directory)     sandbox      /model\n ~/acme-api                 no sandbox   gemini-2.5-pro`;
}

test("without 24-bit colours the prompt has no box, and Turns still end (H18, H21, H33)", () => {
  const past = " > write an essay\n\n✦ Done.";
  check(unboxed(past), READY, { acceptingInput: "yes", editingInput: "no", readyPosture: "yes" });
  check(unboxed(past, empty, "*"), READY, { editingInput: "no", readyPosture: "yes" });
  check(unboxed(past, "half a message\x1b[7m \x1b[0m"), READY, { editingInput: "yes", readyPosture: "yes" });
  check(unboxed(past, "two rows\n   of text\n\n   and a third\x1b[7m \x1b[0m"), READY, {
    editingInput: "yes",
  });
  check(unboxed(`${past}\n${spinner}`), WORKING, { readyPosture: "no", ending: null });
  // A past message alone, or a quotation in an answer, is not a prompt.
  check(past, READY, { acceptingInput: "unknown", readyPosture: "unknown" });
  check(`✦ It looks like this:\n  ${RULER}\n\n  > text\n\n  footer`, READY, { acceptingInput: "unknown" });
  const gemini = detector();
  gemini.detect(screenOf(unboxed(`${past}\n${spinner}`), WORKING), 0);
  expect(gemini.detect(screenOf(unboxed(past), READY), 500).ending?.type).toBe("success_announced");
});

/** Returns the screen with NO_COLOR: rulers are the edges of the box, and past messages begin in column 0. */
function ruled(above: string, input = empty): string {
  return unboxed(above, input)
    .replace("\n\n > ", `\n${RULER}\n > `)
    .replace("\n\n workspace", `\n${RULER}\n workspace`);
}

test("without colours the prompt is between two rulers, and Turns still end (H18, H21, H33)", () => {
  const past = "> write an essay\n\n✦ Done.";
  check(ruled(past), READY, { acceptingInput: "yes", editingInput: "no", readyPosture: "yes" });
  check(ruled(past, "two rows\n   of text\x1b[7m \x1b[0m"), READY, { editingInput: "yes" });
  const working = ruled(`${past}\n\n> more\n\n${spinner}`);
  check(working, WORKING, { readyPosture: "no", ending: null });
  const gemini = detector();
  gemini.detect(screenOf(working, WORKING), 0);
  const over = ruled(`✕ [API Error: 500]\n\n> more\n\n✦ Done.`);
  expect(gemini.detect(screenOf(over, READY), 500).ending?.type).toBe("success_announced");
  gemini.detect(screenOf(working, WORKING), 1_000);
  const silent = ruled(`✕ [API Error: 500]\n\n> more\n\nℹ A notice.`);
  expect(gemini.detect(screenOf(silent, READY), 1_500).ending?.type).toBe("success_announced");
});

test("a list under a command or a mention takes Enter, however long it is (H24)", () => {
  const command = "\n settings   View and edit Gemini CLI settings\n workspace";
  const rows = Array.from({ length: 8 }, (_, row) => `command${row}     What it does`);
  const long = `\n ${rows.join("\n ")}\n ▼\n (1/41)\n workspace`;
  const agents = "\n codebase_investigator [Agent]\n cli_help [Agent]\n workspace";
  const cursor = "\x1b[7m \x1b[0m";
  for (const [input, list] of [
    ["/settings", command],
    ["/", long],
    ["see @", agents],
  ] as const)
    for (const layout of [boxed, unboxed, ruled]) {
      const listed = layout("✦ Done.", input + cursor).replace("\n workspace", list);
      check(listed, READY, {
        surface: { type: "menu" },
        acceptingInput: "unknown",
        editingInput: "yes",
        readyPosture: "unknown",
      });
      check(listed, WORKING, { surface: { type: "menu" }, activeReasons: ["title_spinner"] });
    }
  for (const input of ["/settings", "mail me@example.com now"])
    check(boxed("✦ Done.", input + cursor), READY, { surface: { type: "composer" }, readyPosture: "yes" });
});

test("a shell's message and prompt over a killed TUI show that it has ended, until the title changes (H14)", () => {
  const gemini = detector();
  const rows = unboxed(`✦ Half\n${spinner}`, "Killed your message or @path/to/file").split("\n");
  const promptRow = rows.findIndex((row) => row.startsWith(" > Killed")) + 1;
  const killed = screenOf(rows.with(promptRow, "dev$ ").join("\n"), WORKING);
  const kind = (screen: TuiScreen): string => gemini.detect(screen, 0).surface.type;
  expect(kind(screenOf(unboxed(`✦ Half\n${spinner}`), WORKING))).toBe("composer");
  expect(kind({ ...killed, cursor: { row: promptRow, col: 5, visible: false } })).toBe("departed");
  expect(kind({ ...screenOf("dev$ ls\ndev$ ", WORKING), cursor: { row: 1, col: 5, visible: false } })).toBe(
    "departed",
  );
  expect(kind(screenOf(unboxed("✦ Done."), READY))).toBe("composer");
});

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

test("H11: gemini is tracked by a family of its own that no version was tested with", () => {
  const { profile, profileExtrapolated } = resolveProfile({ tool: "gemini", observedVersion: "0.61.0" });
  expect([profile.family, profile.name, profileExtrapolated]).toEqual(["gemini_cli", "fallback", true]);
});

test("H18, H21, H22: a prompt is ready when the title says so too", () => {
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

test("H23, H29: work shows in the title or in the row above the prompt, each alone", () => {
  check(boxed(asked), WORKING, { readyPosture: "no", activeReasons: ["title_spinner"], ending: null });
  check(boxed(`${asked}\n${spinner}`), READY, { readyPosture: "no", activeReasons: ["spinner_row"] });
  check(boxed(`✦ The row reads\n  ⠙ Thinking... (esc to cancel, 3s)`), READY, {
    activeReasons: [],
    readyPosture: "yes",
  });
});

test("H19: a question takes the prompt's place", () => {
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

test("H33, H35, H36: an end is what the prompt has above it when a Turn that was seen at work comes to rest", () => {
  for (const [above, type] of [
    ["✦ Done.", "success_announced"],
    ["✦ Half an\n\nℹ Request cancelled.", "interrupted"],
    ["✕ [API Error: 500 Internal Server Error]", "known_failure"],
  ] as const) {
    const gemini = detector();
    gemini.detect(screenOf(boxed(`${asked}\n${spinner}`), WORKING), 0);
    expect(gemini.detect(screenOf(boxed(`${asked}\n${above}`), READY), 500).ending?.type).toBe(type);
  }
});

test("H9: a redraw that takes rows away for a moment changes nothing, longer it proves nothing", () => {
  const gemini = detector();
  const whole = gemini.detect(screenOf(boxed("✦ Done."), READY), 0);
  expect(gemini.detect(screenOf("✦ Done.", READY), 250)).toEqual(whole);
  expect(gemini.detect(screenOf("✦ Done.", WORKING), 300).readyPosture).toBe("unknown");
  expect(gemini.detect(screenOf("✦ Done.", READY), 1_000).readyPosture).toBe("unknown");
});

test("H20: while the terminal's cursor shows, another program has it", () => {
  const shell = { ...screenOf(boxed("✦ Done."), READY), cursor: { row: 9, col: 4, visible: true } };
  expect(detector().detect(shell, 0)).toMatchObject({ acceptingInput: "unknown", readyPosture: "unknown" });
});

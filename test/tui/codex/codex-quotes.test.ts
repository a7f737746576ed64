import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  answer,
  type Around,
  detector,
  message,
  placeholder,
  prompt,
  screenOf,
  workedFor,
} from "./codex-screens.ts";
import "../../support/seed-properties.ts";

/** Text that only the TUI itself should print. */
const QUOTES = [
  "Working (3s • esc to interrupt)",
  "• Working (1m 07s • esc to interrupt)",
  "• Reconnecting... 2/3 (5s • esc to interrupt)",
  "esc to interrupt",
  "› Ask Codex to do anything",
  "■ Conversation interrupted - tell the model what to do differently.",
  "■ unexpected status 401 Unauthorized: invalid x-api-key",
  "⚠ server overloaded",
  "Worked for 3s • 01:22",
  "• Queued follow-up inputs",
  "• Running npm test",
  "tab to queue message",
  "Would you like to run the following command?",
  "› 1. Yes, proceed (y)",
  "Press enter to confirm or esc to cancel",
  "dev@box:~/acme-api$ ",
  "Token usage: total=1,215 input=1,200 output=15",
  "? for shortcuts",
];

const quotes = fc
  .array(fc.constantFrom(...QUOTES), { minLength: 1, maxLength: 5 })
  .map((rows) => rows.join("\n"));
const RUNS = { numRuns: 40 };
const states: readonly (Around & { version: string; reasons: readonly string[] })[] = [
  { version: "0.169.0", title: "acme", report: "state=done:app=codex", reasons: [] },
  { version: "0.169.0", title: "acme", report: "state=idle:app=codex", reasons: [] },
  { version: "0.169.0", reasons: [] },
  { version: "0.169.0", title: "⠼ acme", report: "state=working:app=codex", reasons: ["program_report"] },
  { version: "0.144.6", title: "acme", reasons: [] },
  { version: "0.144.6", title: "⠼ acme", reasons: ["title_spinner"] },
  { version: "0.116.0", reasons: [] },
  { version: "0.98.0", reasons: [] },
];

/** Checks that the signals are the same as with harmless text in the same places. */
function check(above: string, input: string, expected: { editing: string }): void {
  const ended = screenOf(prompt(above + workedFor(), { input }));
  const bare = screenOf(prompt(above, { input }));
  for (const { version, reasons, title = "", report = null } of states) {
    const around = { title, programReport: report };
    const screen = version === "0.169.0" ? ended : bare;
    const seen = detector(version).detect({ ...screen, ...around }, 0);
    expect({ ...around, version, seen: [seen.surface.type, seen.activeReasons, seen.editingInput] }).toEqual({
      ...around,
      version,
      seen: ["composer", reasons, expected.editing],
    });
    const isSuccess = seen.ending?.type.startsWith("success_") === true;
    expect([seen.readyPosture, seen.currentError, isSuccess]).toEqual(
      reasons.length > 0 ? ["no", null, false] : ["yes", null, true],
    );
  }
}

test("quoting the TUI in an answer does not change the signals", () => {
  fc.assert(
    fc.property(quotes, (text) => check(message("show me") + answer(text), placeholder, { editing: "no" })),
    RUNS,
  );
});

test("quoting the TUI in a tool's output does not change the signals", () => {
  const output = (text: string): string =>
    `\x1b[1;32m•\x1b[0m \x1b[1mRan\x1b[0m cat notes.txt\n\x1b[2m  └ ${text.replaceAll("\n", "\n    ")}\x1b[0m\n\n`;
  fc.assert(
    fc.property(quotes, (text) =>
      check(message("show me") + output(text) + answer("That is all."), placeholder, { editing: "no" }),
    ),
    RUNS,
  );
});

test("quoting the TUI in a message or a draft does not change the signals", () => {
  const draft = (text: string): string => `see: ${text.replaceAll("\n", "\n  ")}▮`;
  fc.assert(
    fc.property(quotes, quotes, (sent, typed) =>
      check(message(`see: ${sent}`) + answer("Done."), draft(typed), { editing: "yes" }),
    ),
    RUNS,
  );
});

import { expect, test } from "vitest";
import { type ClaudeScreen, readClaudeScreen } from "../../../src/tui/index.ts";
import {
  apiKeyDialog,
  autoModePermission,
  bashPermission,
  composer,
  modelPicker,
  screenOf,
  trustDialog197,
  trustDialog329,
} from "./claude-screens.ts";

function check(text: string, expected: unknown, title?: string): void {
  const screen = readClaudeScreen(screenOf(text, title === undefined ? {} : { title }));
  expect(screen).toMatchObject(expected as Partial<ClaudeScreen>);
}

function dialog(type: ClaudeScreen["type"], selected: number, choices: string[]): unknown {
  return { type, dialog: { choices, selected } };
}

test("H19: dialogs are read with the row that Enter would take", () => {
  const trust = ["Yes, I trust this folder", "No, exit"];
  check(trustDialog197, dialog("trust-dialog", 0, trust), "");
  check(trustDialog329, dialog("trust-dialog", 0, trust.toReversed()), "");
  check(apiKeyDialog, dialog("api-key-dialog", 1, ["Yes", "No (recommended)"]), "");
  check(
    bashPermission,
    dialog("permission-dialog", 0, [
      "Yes",
      "Yes, and don’t ask again for: touch *",
      "Yes, and switch to auto mode · auto mode handles these prompts for you",
      "No",
    ]),
  );
  check(autoModePermission, dialog("permission-dialog", 1, ["Yes", "No"]));
  check(modelPicker, { type: "other-dialog", dialog: { heading: "Select model" } });
});

test("H19: a dialog in the answer's text has no cursor in it, so it is text", () => {
  const imitation = bashPermission.replace("▮", "").replaceAll("<rule>", "─".repeat(30));
  check(composer({ above: imitation }), { type: "ready" });
});

test("a screen that only a person can answer is told apart", () => {
  check(
    "Select login method:\n\n ▮❯ 1. Claude account with subscription\n   2. Console account",
    { type: "login" },
    "",
  );
  check(
    "Choose the text style that looks best with your terminal\n ▮❯ 1. Dark mode\n   2. Light mode",
    { type: "theme" },
    "",
  );
});

test("ready is a composer with the cursor in it and no sign of work", () => {
  const ready = { type: "ready", hasDraft: false, hasMessage: false, failure: null };
  check(composer(), ready);
  check(composer({ input: '▮Try "fix lint errors"' }), ready);
  check(composer({ input: "half a prom▮" }), { ...ready, hasDraft: true });
  check(composer({ input: "a draft that wraps\n  over two rows▮" }), { ...ready, hasDraft: true });
  check(composer({ above: "❯ do it\n\n● Done.\n\n✻ Brewed for 1s" }), { ...ready, hasMessage: true });
});

test("the error that ended a Turn is read, one of an earlier Turn is not", () => {
  const failed = "❯ do it\n  ⎿  Not logged in · Please run /login\n\n✻ Churned for 0s";
  check(composer({ above: failed }), { type: "ready", failure: "Not logged in · Please run /login" });
  check(composer({ above: "❯ do it\n● API Error: 500 Internal server error" }), {
    type: "ready",
    failure: "API Error: 500 Internal server error",
  });
  check(composer({ above: `${failed}\n\n❯ again\n\n● Done.` }), { type: "ready", failure: null });
});

test("work shows in the title, the footer or the spinner, each alone", () => {
  const working = { type: "working", hasDraft: false };
  check(composer({ above: "❯ do it" }), working, "⠂ Claude Code");
  check(composer({ above: "❯ do it" }), working, "◐ Claude Code");
  check(composer({ footer: "  esc to interrupt · ← for agents" }), working, "");
  check(composer({ footer: "  ? for shortcuts · esc to …" }), working, "");
  check(
    composer({ above: "❯ do it\n\n✶ Infusing… (12s · ↓ 39 tokens)\n  ⎿  Tip: use /help\n" }),
    working,
    "",
  );
  check(composer({ above: "❯ do it\n\n* Tempering… \n" }), working, "");
});

test("an old spinner above a completion or an answer is not work", () => {
  check(composer({ above: "❯ do it\n✶ Infusing… (3s)\n● Done.\n✻ Baked for 3s" }), { type: "ready" }, "");
  check(composer({ above: "✶ Infusing… (3s)\n❯ do it\n" }), { type: "ready" }, "");
});

test("a shell, a killed TUI and a screen without a cursor in the composer are none of these", () => {
  check("$ claude\nKilled\n$ ▮", { type: "other" }, "");
  check("▮", { type: "other" }, "");
  check(`${composer({ input: "" })}\nKilled\n$ ▮`, { type: "other" });
});

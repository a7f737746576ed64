import { expect, test } from "vitest";
import type { Dialog, Surface } from "../../../src/tui/index.ts";
import { bashPermission, modelPicker, screenOf } from "./claude-screens.ts";
import { detector } from "./painted-screens.ts";

function surfaceOf(text: string, programReport: string | null = null): Surface {
  const { visibleLines, ...rest } = screenOf(text, { title: "" });
  const screen = { ...rest, lines: visibleLines, cellsOf: () => [], programReport };
  return detector("2.1.332").detect(screen, 0).surface;
}

function dialogOf(text: string): Dialog {
  const surface = surfaceOf(text);
  return surface.type === "dialog" ? surface.dialog : expect.unreachable(`a dialog, not ${surface.type}`);
}

/** A permission of 2.1.332 that is refused when nobody answers it. */
const blockedSoon = (left: string): string => `
<rule>
 Bash command
 x
 rm -rf /
 Dangerous rm operation on critical path: /
 ⚠ Claude Code will automatically block this request in ${left}, to avoid
 holding up an unattended session

 Do you want to proceed?
 ▮❯ 1. Yes
   2. No

 Esc to cancel · Tab to amend`;

test("a permission stays the same dialog while its time runs down (C4, B9)", () => {
  const first = dialogOf(blockedSoon("1:59"));
  expect(first).toMatchObject({ kind: "permission", choices: ["Yes", "No"] });
  for (const left of ["1:58", "\n 0:07", "about 2 minutes", "about 1\n second"])
    expect(dialogOf(blockedSoon(left))).toEqual(first);
});

const BLOCKED = "state=blocked:app=claude-code:msg=ZGlhbG9nIG9wZW4=";
const RESTING = ["state=idle:app=claude-code", "state=done:app=claude-code", "state=error:app=claude-code"];

/** A dialog of 2.1.332 without rows of choice. */
const autoModeNotice = `● Running the command

<rule>
  Auto mode can't check actions in this session

  Auto mode's safety check runs on the server.

  Enter to stay in auto mode · shift+Tab to leave for accept edits mode and
  stop · Esc to cancel`;

test("a dialog without choices is one where the program reports that it is blocked (H19, C4)", () => {
  const dialog = { kind: "other", choices: [], selected: null };
  expect(surfaceOf(autoModeNotice, BLOCKED)).toMatchObject({ type: "dialog", dialog });
  const others = [
    null,
    "state=working:app=claude-code",
    "state=blocked:app=claude-code:kind=auth",
    `${BLOCKED}:id=7`,
  ];
  for (const report of others) expect(surfaceOf(autoModeNotice, report).type).toBe("menu");
});

const exportPicker = `● Done.

${"▔".repeat(80)}
  Export conversation

  ▮❯ Copy to clipboard  Copy the conversation to your system clipboard
    Save to file       Save the conversation to a file

  ↑/↓ to navigate · Enter to select · Esc to cancel`;

test("a question or an unknown dialog is a person's picker where the program reports that it rests (H24)", () => {
  for (const report of RESTING) {
    for (const text of [exportPicker, modelPicker]) expect(surfaceOf(text, report).type).toBe("menu");
    expect(surfaceOf(bashPermission, report).type).toBe("dialog");
  }
  expect(surfaceOf(exportPicker, BLOCKED)).toMatchObject({ dialog: { kind: "question" } });
  expect(surfaceOf(modelPicker, BLOCKED)).toMatchObject({ dialog: { kind: "other" } });
});

const pastPrompts = `● Done.

<rule>
  Search prompts · everywhere

  ▮❯ 4s ago   just say done
  ╭─────────────────────────────────────╮
  │ ⌕ Filter history…                   │
  ╰─────────────────────────────────────╯

  ↑/↓ to navigate · Enter to use · Esc to cancel`;

test("a list with a search box is a person's picker unless the program reports a dialog (H24)", () => {
  for (const report of [null, "state=working:app=claude-code"])
    expect(surfaceOf(pastPrompts, report).type).toBe("menu");
});

test("a mark before a label leaves the list of choices whole (H19)", () => {
  const theme = (rows: string): string => `
${"▔".repeat(80)}
  Theme

  Choose the text style that looks best with your terminal

${rows}
    ↓ 2 more

  Enter to select · Esc to cancel`;
  const choices = ["Auto (match terminal)", "Dark mode", "Light mode"];
  const check = (rows: string, selected: number): void =>
    expect(dialogOf(theme(rows))).toMatchObject({ kind: "theme", choices, selected });
  check("      Auto (match terminal)\n  ▮❯ ✔ Dark mode\n      Light mode", 1);
  check("      Auto (match terminal)\n    ✔ Dark mode\n  ▮❯   Light mode", 2);
});

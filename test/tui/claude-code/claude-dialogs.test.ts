import { expect, test } from "vitest";
import type { Dialog, DialogKind, Surface } from "../../../src/tui/index.ts";
import {
  addDirectory330,
  apiKey330,
  apiKeyDialog,
  autoModePermission,
  bashPermission,
  bypassWarning330,
  imitatingPermission330,
  loginMethod,
  loginPage,
  modelPicker,
  planExit330,
  screenOf,
  themeDialog,
  trustDialog197,
  trustDialog329,
  writePermission330,
} from "./claude-screens.ts";
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

function checkDialog(text: string, kind: DialogKind, selected: number | null, choices?: string[]): void {
  const dialog = { kind, selected, ...(choices === undefined ? {} : { choices }) };
  expect(surfaceOf(text)).toMatchObject({ type: "dialog", dialog });
}

test("each dialog of 2.1.330 and of older versions is read with its kind, its labels and the selected row (H19)", () => {
  const check = checkDialog;
  check(trustDialog197, "trust", 0);
  check(trustDialog329, "trust", 0);
  check(addDirectory330, "add-directory", 0, ["No, exit", "Yes, add it"]);
  check(apiKeyDialog, "api-key", 1);
  check(apiKey330, "api-key", 1, ["Yes", "No (recommended)"]);
  check(bypassWarning330, "bypass-permissions", 0, ["No, exit", "Yes, I accept"]);
  check(planExit330, "plan-exit", 0);
  check(bashPermission, "permission", 0);
  check(autoModePermission, "permission", 1);
  check(imitatingPermission330, "permission", 0);
  check(modelPicker, "other", 0);
  check(loginMethod, "login", 0);
  check(loginPage, "login", null, []);
  check(themeDialog, "theme", 1);
  // A wrapped label is one label, because its second row may decide whether it may be chosen.
  check(writePermission330, "permission", 0, [
    "Yes",
    "Yes, and switch to accept edits (auto-approve file edits and common file commands) for this session (shift+tab)",
    "No",
  ]);
});

/** A dialog with the rows Yes and No. */
const asking = (heading: string): string => `
<rule>
 ${heading.replaceAll("\n", "\n ")}
 ▮❯ 1. Yes
   2. No

 Esc to cancel`;

test("a question with Yes is a permission where it asks for a tool's action, and else of no known kind (H24, C4)", () => {
  const permissions = [
    "Bash command\n\n  touch made\n\nThis command requires approval\nDo you want to proceed?",
    // The upper rows of a long one have scrolled off.
    "Do you want to proceed?",
    "This command requires your approval",
    "Edit file\na.txt\nDo you want to make this edit to a.txt?",
    "Overwrite file\na.txt\nDo you want to overwrite a.txt?",
    "Edit notebook\na.ipynb\nDo you want to insert this cell into a.ipynb?",
    "Fetch\n\n  https://example.com\n\nDo you want to allow Claude to fetch this content?",
    "Network request outside of sandbox\n\n  Host: example.com\n\nDo you want to allow this connection?",
    "Tool use\n\n  github - search (MCP)\n\nDo you want to run it?",
  ];
  for (const heading of permissions) checkDialog(asking(heading), "permission", 0);
  const others = [
    "Would you like to share this session with Anthropic to help improve Claude?",
    "Do you want to switch to usage-based billing?",
    "Usage credits require your approval",
    // 2.1.197 asks this.
    "LSP plugin recommendation\n\nWould you like to install this LSP plugin?",
    "Do you want to use bypass-permissions mode from now on?",
    "Do you want to create an account?",
  ];
  for (const heading of others) checkDialog(asking(heading), "other", 0);
});

test("words of a log-in or of a theme screen above a permission or in it leave it a permission (H24, C4)", () => {
  const quotes = [
    "The reporter says that users cannot choose a theme in the settings page.",
    'The CLI prints "Select login method" twice; I reproduce it.',
    "Select login method:",
    "Choose the text style that looks best with your terminal",
    "Paste code here if prompted >",
    "Browser didn't open? Use the url below to sign in (c to copy)",
  ];
  for (const quote of quotes) {
    checkDialog(`● ${quote}\n  ${quote}\n\n${bashPermission}`, "permission", 0);
    // Only the last rows of a long output are on the screen.
    checkDialog(`  ${quote}\n\n${bashPermission}`, "permission", 0);
    checkDialog(bashPermission.replaceAll("touch made", `echo\n   ${quote}`), "permission", 0);
  }
});

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

test("the heading of a permission keeps the file and the question around a long text with rules in it (H19, B9)", () => {
  const rows = ["19 Text of the file", `   ${"─".repeat(60)}`, "20 More", "21 ✻ Pondering… (12s)"];
  const asked = writePermission330.replace(" 1 tried", rows.map((row) => ` ${row}`).join("\n"));
  expect(dialogOf(asked).heading).toMatch(/^Create file note 19 Text of .* Do you want to create note\?$/);
  const { kind, heading } = dialogOf(asked.replace("19 Text", `${"words ".repeat(300)}\n 19 Text`));
  expect(kind).toBe("permission");
  expect(heading).toMatch(/^Create file note words .* … .* Do you want to create note\?$/);
  expect(heading.length).toBe(1_000);
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

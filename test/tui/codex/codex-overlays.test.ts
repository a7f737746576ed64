import { expect, test } from "vitest";
import type { Dialog } from "../../../src/tui/index.ts";
import {
  type Around,
  answer,
  captured,
  detector,
  message,
  prompt,
  screenOf,
  signalsOf,
  tool,
  workedFor,
} from "./codex-screens.ts";

const yes = "Yes, proceed (y)";
const no = "No, and tell Codex what to do differently (esc)";
const approval = `${message("run the tests")}${tool("Running", "npm test")}
  Would you like to run the following command?

  Reason: May I run this outside the sandbox?

  $ npm test

\x1b[1m› 1. ${yes}\x1b[0m
  2. Yes, and don't ask again for commands that start with \`npm run --silent
     test:unit\` (p)
  3. ${no}

  Press enter to confirm or esc to cancel`;
const trust169 = `  Folder access
  /home/dev/acme-api

  Trust this folder? Codex can read, edit, and run files here, subject to your
  permission settings.

› 1. Trust and continue
  2. Back to Agent Command Center

  enter continue · esc back`;
const trust144 = `> You are in /home/dev/acme-api

  Do you trust the contents of this directory? Working with untrusted contents
  comes with higher risk of prompt injection.

› 1. Yes, continue
  2. No, quit

  Press enter to continue`;
const trust98 = `> You are running Codex in /home/dev/acme

  Since this folder is not version controlled, we recommend requiring approval
  of all edits and commands.

  1. Allow Codex to work in this folder without asking for approval
› 2. Require approval of edits and commands

  Press enter to continue`;
const picker = `${message("do it")}${answer("Done.")}
  Select Model and Effort

› 1. GPT-6.1-Sol (current)  Latest workhorse model.
  2. GPT-6-Astra            Frontier intelligence.
↓
  enter select · esc back`;
const permissionsPicker = `${message("do it")}${answer("Done.")}${workedFor()}
  Update Model Permissions

› 1. Ask for approval  Read and edit workspace files and run commands, with
                      approval required for internet access
  2. Read Only         Read workspace files

  enter select · esc back`;
const agentsView = `  Agent command center  Group: Project  g
      Tasks                       │ Task details
  ~/acme  1                       │
  › ○ fix the parser              │ fix the parser
  ? help  esc back  ↑/↓ move  enter open  n new`;

function checkDialog(text: string, dialog: Partial<Dialog>, around: Around = {}): void {
  for (const version of ["0.98.0", "0.116.0", "0.144.6", "0.169.0"])
    for (const screen of [screenOf(text, around), captured(text)])
      expect(detector(version).detect(screen, 0)).toMatchObject({
        surface: { type: "dialog", dialog },
        acceptingInput: "no",
        readyPosture: "unknown",
        activeReasons: [],
        ending: null,
      });
}

function checkMenu(text: string, around: Around = {}): void {
  expect(signalsOf(text, around)).toMatchObject({
    surface: { type: "menu" },
    acceptingInput: "no",
    readyPosture: "unknown",
    ending: null,
  });
}

test("an approval replaces the prompt in every version, with or without a cursor (H19)", () => {
  const around = {
    title: "[ ! ] Action Required | acme-api",
    report: "state=blocked:app=codex:kind=permission",
  };
  checkDialog(approval, { kind: "permission", selected: 0 }, around);
  const { surface } = signalsOf(approval, around);
  expect(surface).toMatchObject({
    dialog: {
      heading:
        "Would you like to run the following command? Reason: May I run this outside the sandbox? $ npm test",
      choices: [yes, "Yes, and don't ask again for commands that start with `npm run --silent", no],
    },
  });
});

const asking = (command: string): string => `${message("do it")}${tool("Running", "a command")}
  Would you like to run the following command?

  Reason: It needs to write outside the sandbox.

  $ ${command}


› 1. ${yes}
  2. Yes, and don't ask again for commands that start with \`${command.split("\n")[0]}\` (p)
  3. ${no}

  Press enter to confirm or esc to cancel`;

test("a permission stays one whatever its command says and however long the command is (H19)", () => {
  const commands = [
    "cat docs/trust.md docs/files.md > out",
    "echo 'Update available'",
    "gh auth status | grep 'signed in'",
    "echo 1\n  Question 1/2\n  Update now",
    "echo 1\n  Worked for 1s • 2 tools\n  Update available",
    Array.from({ length: 12 }, (_, row) => `echo ${"abcdefghij ".repeat(6)}${row}`).join("\n  "),
    Array.from({ length: 40 }, (_, row) => `echo row ${row}`).join("\n  "),
  ];
  const reported = { report: "state=blocked:app=codex:kind=permission" };
  for (const command of commands)
    for (const around of [{}, reported]) {
      const { surface } = signalsOf(asking(command), around);
      expect(surface).toMatchObject({ type: "dialog", dialog: { kind: "permission", selected: 0 } });
      const { heading } = surface.type === "dialog" ? surface.dialog : expect.unreachable();
      expect(heading).toMatch(/^Would you like to run the following command\? Reason: It needs/);
      expect(heading.length).toBeLessThanOrEqual(1_000);
    }
});

test("a dialog whose question has scrolled off is recognised by the program's report (H19)", () => {
  const rows = "  echo 'Trust this folder?'\n  echo Sign in with\n\n";
  const scrolled = `${rows}› 1. ${yes}\n  2. ${no}\n\n  Press enter to confirm or esc to cancel`;
  const report = "state=blocked:app=codex:kind=permission";
  expect(signalsOf(scrolled, { report }).surface).toMatchObject({ dialog: { kind: "permission" } });
  expect(signalsOf(picker, { report }).surface.type).toBe("dialog");
});

test("a trust dialog is recognised in the wording of each version (H19)", () => {
  checkDialog(trust169, {
    kind: "trust",
    selected: 0,
    choices: ["Trust and continue", "Back to Agent Command Center"],
  });
  checkDialog(trust144, { kind: "trust", selected: 0 });
  checkDialog(trust98, { kind: "trust", selected: 1 });
});

test("a dialog with unknown text is recognised by the program's report, even before it is painted (H19)", () => {
  const blocked = { title: "[ . ] Action Required | acme-api" };
  expect(signalsOf("Something new\n  that asks", { ...blocked, version: "0.144.6" })).toMatchObject({
    surface: { type: "dialog", dialog: { kind: "other" } },
    acceptingInput: "no",
    readyPosture: "unknown",
  });
  const notYet = { title: "⠹ acme-api", report: "state=blocked:app=codex:kind=permission" };
  expect(signalsOf(prompt(message("do it") + tool("Running", "npm test")), notYet)).toMatchObject({
    acceptingInput: "no",
    readyPosture: "no",
  });
  checkDialog(
    "  Task is still running\n\n› 1. Cancel task\n  2. Keep it running\n\n  enter select · esc back",
    {
      kind: "other",
    },
  );
});

test("pickers, views and popups of the prompt are menus (H24)", () => {
  const idle = { title: "acme-api", report: "state=idle:app=codex" };
  checkMenu(picker, idle);
  checkMenu(agentsView, idle);
  checkMenu(permissionsPicker, idle);
  const above = message("do it") + answer("Done.");
  checkMenu(
    prompt(`${above}\x1b[1m› /model  choose what model to use\x1b[0m\n  /fast   2x speed\n`, { input: "/▮" }),
    idle,
  );
  checkMenu(prompt(above, { input: "/mo▮", footer: "  /model  choose what model to use" }), idle);
  checkMenu(
    prompt(`${above}  Mentions\n› Image Gen  Skill\n\n  enter/tab insert · esc close\n`, { input: "@a▮" }),
    idle,
  );
  checkMenu(prompt(`${above}  Keyboard shortcuts\n`, { footer: "  gpt-5.4 default\n  ? / esc close" }), idle);
  expect(signalsOf(prompt(above, { input: "/tmp/build is full▮" }), idle).surface.type).toBe("composer");
});

test("work behind a menu is work (H24)", () => {
  const { surface, activeReasons } = signalsOf(agentsView, { report: "state=working:app=codex" });
  expect([surface.type, activeReasons]).toEqual(["menu", ["program_report"]]);
});

test("a dialog quoted by an answer or a draft counts as text (H19)", () => {
  const idle = { title: "acme-api", report: "state=done:app=codex" };
  const quoted =
    message("show me") + answer(approval.replaceAll(/\x1b\[\d*m/g, "").replaceAll("\n›", "\n  ›"));
  const draft = "1. first do this\n  2. then that\n  Press enter to confirm or esc to cancel▮";
  for (const text of [prompt(quoted), prompt("", { input: draft })])
    expect(signalsOf(text, idle)).toMatchObject({ surface: { type: "composer" }, acceptingInput: "yes" });
});

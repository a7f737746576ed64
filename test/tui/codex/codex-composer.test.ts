import { expect, test } from "vitest";
import {
  answer,
  captured,
  detector,
  message,
  placeholder,
  prompt,
  screenOf,
  signalsOf,
} from "./codex-screens.ts";

const idle = { title: "acme-api", report: "state=idle:app=codex" };

function checkEditing(input: string, editingInput: string, version = "0.169.0"): void {
  const seen = signalsOf(prompt("", { input }), { ...idle, version });
  expect([seen.acceptingInput, seen.editingInput]).toEqual(["yes", editingInput]);
}

test("the prompt counts as empty with a placeholder and as edited with typed text (H18, H21)", () => {
  checkEditing(placeholder, "no");
  checkEditing("▮", "no");
  checkEditing("fix the parser▮", "yes");
  checkEditing("▮fix the parser", "yes");
  checkEditing("Ask Codex to do anything▮", "yes");
  checkEditing("look at \x1b[36m@src/index.js\x1b[0m▮", "yes");
  checkEditing("a draft that is long enough to\n  wrap over two rows▮", "yes");
  checkEditing("its first paragraph\n\n  and its second▮", "yes");
  checkEditing("▮\x1b[33mReview staged changes\x1b[0m", "unknown");
});

test("a shell command is typed after a different sign (H18)", () => {
  const typed = prompt("", { glyph: "!", input: "ls▮" });
  expect(signalsOf(typed, idle)).toMatchObject({ acceptingInput: "yes", editingInput: "yes" });
});

test("without a cursor only unstyled text in the prompt of a known version is a draft (H21)", () => {
  const typed = captured(prompt("", { input: "fix the parser" }));
  expect(detector("0.116.4").detect(typed, 0).editingInput).toBe("yes");
  expect(detector("0.98.0").detect(typed, 0).editingInput).toBe("unknown");
  expect(
    detector("0.116.4").detect(captured(prompt("", { input: placeholder.replace("▮", "") })), 0),
  ).toMatchObject({
    acceptingInput: "yes",
    editingInput: "no",
  });
});

test("a past message or a glyph quoted by an answer is not a prompt (H20, H22)", () => {
  const above = message("do it") + answer("The prompt is\n› Ask Codex to do anything\nand then");
  const { acceptingInput, readyPosture } = signalsOf(above, idle);
  expect({ acceptingInput, readyPosture }).toEqual({ acceptingInput: "unknown", readyPosture: "unknown" });
});

test("a composer that is painted before the session exists is not ready (H20)", () => {
  const banner =
    "\n  \x1b[36m>_ \x1b[0m\x1b[1mOpenAI Codex\x1b[0m\x1b[2m (v0.169.0)\x1b[0m\n     ~/acme-api\n";
  const early = prompt(banner, { footer: "  ? for shortcuts" });
  expect(signalsOf(early)).toMatchObject({
    surface: { type: "starting" },
    acceptingInput: "unknown",
    readyPosture: "unknown",
  });
  for (const proven of [
    signalsOf(prompt(banner)),
    signalsOf(early, idle),
    signalsOf(early, { title: "acme-api" }),
  ])
    expect(proven).toMatchObject({ surface: { type: "composer" }, readyPosture: "yes", ending: null });
});

test("0.116 keeps messages that are sent while its model loads (H23)", () => {
  const banner =
    "╭────╮\n│ >_ OpenAI Codex (v0.116.0) │\n│ model:     loading   /model to change │\n╰────╯\n";
  const loading = prompt(banner, { footer: "  gpt-5.4 default · 100% left · ~/acme" });
  expect(signalsOf(loading, { version: "0.116.0" })).toMatchObject({
    acceptingInput: "yes",
    readyPosture: "no",
    activeReasons: ["session_start"],
    ending: null,
  });
});

test("rows and a title that Codex left behind prove nothing once another program has the terminal (H20)", () => {
  const working = { title: "⠹ acme-api", report: "state=working:app=codex" };
  const killed = `${message("do it")}${answer("The first half")}\n\x1b[1m›\x1b[0m Killedex to do anything\ndev@box:~/acme-api$ ▮\n  GPT-6.1-Sol default · ~/acme-api`;
  const left =
    "Disconnected from this task. Any running work continues.\n  codex resume 01a1\n\nTotal: 15\n▮";
  const launching = "dev@box:~/acme-api$ codex --no-dae▮";
  for (const [text, around] of [
    [killed, working],
    [left, { report: "state=clear" }],
    [launching, {}],
    [`${message("do it")}\n\nTerminated\n❯ ▮`, working],
  ] as const)
    expect(signalsOf(text, around)).toMatchObject({
      surface: { type: "departed" },
      acceptingInput: "unknown",
      activeReasons: [],
    });
});

test("an empty screen proves nothing (H20)", () => {
  expect(detector().detect(screenOf("▮"), 0)).toMatchObject({
    surface: { type: "other" },
    acceptingInput: "unknown",
    editingInput: "unknown",
    readyPosture: "unknown",
    pendingInput: "unknown",
  });
});

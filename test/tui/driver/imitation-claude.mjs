// A small program with the screens of Claude Code, for `npm test`; `npm run test:claude` drives the real one. argv: the scenario,
// the file to write as the Turn's result, and optionally a path for tests that have to see the work on a slow machine: its n-th
// work ends only when a file with that path and the suffix .n exists.
import { existsSync, writeFileSync } from "node:fs";

const [scenario, resultFile, goFile] = process.argv.slice(2);
const WORK_MS = 150;
const LOOK_EVERY_MS = 10;
/** How long the scenario "sleeping" paints nothing after it has taken the prompt. */
const SLEEP_MS = 4_000;
const RULE = "─".repeat(process.stdout.columns ?? 80);
const QUESTION_KEYS = " Enter to select · ↑/↓ to navigate · Esc to cancel";
const START_DIALOGS = {
  trust: { heading: "Quick safety check", labels: ["No, exit", "Yes, I trust this folder"] },
  "add-directory": { heading: "Adding a new directory:", labels: ["No, exit", "Yes, add it"] },
  unknown: { heading: "A question of a later version", labels: ["Yes, whatever it is", "No, exit"] },
};
const PERMISSION = ["1. Yes", "2. Yes, and don’t ask again for: touch *", "3. No"];

let screen = scenario === "login" ? "login" : "trust";
let selected = 0;
let draft = "";
let message = "";
let entersToLose = scenario === "lost-submit" ? 1 : 0;
let turns = 0;
let works = 0;

process.stdin.setRawMode(true);
process.stdout.write("\x1b[?2004h");
process.stdin.on("data", (chunk) => {
  for (const key of String(chunk).match(/\x1b\[200~.*?\x1b\[201~|\x1b\[[A-D]|[^]/gs) ?? []) onKey(key);
  draw();
});
draw();

function onKey(key) {
  if (key === "\x03") process.exit(130);
  if (screen in START_DIALOGS || screen === "permission") onDialogKey(key);
  else if (screen === "question" && key === "\x1b") endTurn();
  else if (screen === "composer") onComposerKey(key);
}

function onDialogKey(key) {
  const labels = START_DIALOGS[screen]?.labels ?? PERMISSION;
  if (key === "\x1b[B") selected = Math.min(selected + 1, labels.length - 1);
  if (key === "\x1b[A") selected = Math.max(selected - 1, 0);
  if (key === "\x1b") process.exit(9);
  if (key !== "\r") return;
  const accepted = screen in START_DIALOGS ? selected === 1 : selected === 0;
  if (!accepted || screen === "unknown") process.exit(9);
  if (screen === "permission") work(() => endTurn());
  else if (screen === "trust") [screen, selected] = [scenario === "unknown" ? "unknown" : "add-directory", 0];
  else screen = "composer";
}

function onComposerKey(key) {
  if (key.startsWith("\x1b[200~")) draft += key.slice(6, -6);
  else if (key.startsWith("\x1b[")) return;
  else if (key !== "\r") draft += key;
  else if (draft === "/exit") process.exit(0);
  else if (entersToLose > 0) {
    // The Enter is read as a line break.
    entersToLose -= 1;
    draft += "\r\n  ";
  } else submit();
}

function submit() {
  [message, draft] = [draft.trim(), ""];
  turns += 1;
  if (scenario === "sleeping") {
    if (turns > 1) process.exit(8);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLEEP_MS);
  }
  if (scenario === "endless") screen = "working";
  else if (scenario === "crash") work(() => process.exit(7));
  else if (turns > 1 || scenario === "sleeping") work(() => endTurn());
  else
    work(() => {
      [screen, selected] = [scenario === "question" ? "question" : "permission", 2];
      draw();
    });
}

function work(next) {
  screen = "working";
  works += 1;
  if (goFile === undefined) setTimeout(() => next(), WORK_MS);
  else onceThere(`${goFile}.${works}`, next);
}

function onceThere(path, next) {
  if (existsSync(path)) next();
  else setTimeout(() => onceThere(path, next), LOOK_EVERY_MS);
}

function endTurn() {
  if (["whole", "lost-submit", "sleeping"].includes(scenario) || (turns > 1 && scenario !== "no-result"))
    writeFileSync(resultFile, "{}");
  screen = "composer";
  draw();
}

function draw() {
  const { rows, title, row, col } = { title: "✳ Claude Code", ...picture() };
  const frame = `\x1b]0;${title}\x07\x1b[2J\x1b[H${rows.join("\r\n")}\x1b[${row + 1};${col + 1}H`;
  // The kernel may hand over one write in two parts. A synchronized update keeps a reader from seeing half a frame.
  process.stdout.write(`\x1b[?2026h${frame}\x1b[?2026l`);
}

function picture() {
  if (screen === "login") return { rows: ["Select login method:", " ❯ 1. Claude account"], row: 1, col: 1 };
  if (screen in START_DIALOGS) {
    const { heading, labels } = START_DIALOGS[screen];
    return { rows: [RULE, ` ${heading}`, "", ...choices(labels)], row: 3 + selected, col: 1 };
  }
  if (screen === "permission")
    return { rows: [RULE, " Do you want to proceed?", ...choices(PERMISSION)], row: 2 + selected, col: 1 };
  if (screen === "question") {
    const labels = ["Red", "Blue", "Chat about this"];
    const rows = [RULE, " ☐ Colour", "", "Which colour?", "", ...choices(labels), "", QUESTION_KEYS];
    return { rows, row: 5 + selected, col: 1 };
  }
  const isWorking = screen === "working";
  const above = message === "" || isWorking ? ["", ""] : ["", ...answer(), ""];
  if (message !== "") above.unshift(`❯ ${message}`);
  const rows = [
    ...above,
    RULE,
    `❯\u00a0${draft}`,
    RULE,
    isWorking ? "  esc to interrupt" : "  ? for shortcuts",
  ];
  const title = isWorking ? "⠂ Claude Code" : "✳ Claude Code";
  return { rows, title, row: above.length + 1, col: 2 + draft.length };
}

function answer() {
  if (scenario === "failure") return ["● API Error: 500"];
  if (scenario === "question" && turns === 1)
    return ["● User declined to answer", "  ⎿  Interrupted · What should Claude do instead?"];
  return [`● Done, reminded ${turns - 1} times.`, "", "✻ Baked for 1s"];
}

function choices(labels) {
  return labels.map((label, index) => (index === selected ? ` ❯ ${label}` : `   ${label}`));
}

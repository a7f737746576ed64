import { expect, test } from "vitest";
import { resolveProfile, type TuiSignals } from "../../../src/tui/index.ts";
import { drawnScreen } from "../drawn-screen.ts";

const IDLE = "   /home/dev/acme-api                  tab agents  ctrl+p commands";
const BUSY = "   ■■■■■⬝⬝⬝  esc interrupt             tab agents  ctrl+p commands";

function boxed(above: string, footer = IDLE, input = "▮"): string {
  return `${above}\n\n  ┃\n  ┃  ${input}\n  ┃\n  ┃  Build · Loop 1 Loop\n  ╹${"▀".repeat(40)}\n${footer}`;
}

function turn(answer: string, end: string): string {
  return `  ┃\n  ┃  write an essay\n  ┃\n\n     ${answer}\n\n     ▣  Build · Loop 1${end}`;
}

function check(text: string, expected: Partial<TuiSignals>): void {
  const { profile } = resolveProfile({ tool: "opencode", observedVersion: "1.18.33" });
  expect(profile.create().detect(drawnScreen(text), 0)).toMatchObject(expected);
}

test("opencode has a detector family for which no version counts as tested (H11)", () => {
  const { profile, profileExtrapolated } = resolveProfile({ tool: "opencode", observedVersion: "1.18.33" });
  expect([profile.family, profile.name, profileExtrapolated]).toEqual(["opencode_tui", "fallback", true]);
});

test("the live prompt contains the cursor (H18, H21, H22)", () => {
  check(boxed(""), { acceptingInput: "yes", editingInput: "no", readyPosture: "yes", ending: null });
  check(boxed("", IDLE, '▮Ask anything… "Fix broken tests"'), { editingInput: "no" });
  check(boxed("", IDLE, "half a message▮"), { editingInput: "yes", readyPosture: "yes" });
  check(boxed("", IDLE, "▮a message before the cursor"), { editingInput: "unknown" });
  check("some other screen ▮", { acceptingInput: "unknown", readyPosture: "unknown" });
});

test("the footer shows work, and a Turn without an end is not ready (H23, H29)", () => {
  const active = { readyPosture: "no", activeReasons: ["interruptable_footer"], ending: null } as const;
  check(boxed(turn("Half", ""), BUSY), active);
  check(boxed(turn("Half", ""), BUSY.replace("esc interrupt", "esc again to interrupt")), active);
  check(boxed(turn("Half", "")), { readyPosture: "unknown", activeReasons: [], ending: null });
  check(boxed(turn(BUSY.trim(), " · 4.8s")), { readyPosture: "yes", activeReasons: [] });
});

test("the Turn's row shows how it ended (H33, H35)", () => {
  check(boxed(turn("Done.", " · 4.8s")), { ending: { type: "success_announced", signature: "success:0" } });
  check(boxed(turn("Done.", " · 1m 3s")), { ending: { type: "success_announced", signature: "success:0" } });
  check(boxed(turn("Half", " · interrupted")), {
    ending: { type: "interrupted", signature: "interrupted:0" },
  });
});

test("a permission replaces the prompt (H19)", () => {
  check(
    `${turn("I'll run it.", "")}\n\n  ┃  △ Permission required\n  ┃    # Shell command\n  ┃\n  ┃  $ npm test\n  ┃\n  ┃   Allow once   Allow always   Reject        ctrl+f fullscreen  ⇆ select  enter confirm\n  ┃`,
    {
      surface: {
        type: "dialog",
        dialog: {
          kind: "permission",
          heading: "△ Permission required # Shell command $ npm test",
          choices: ["Allow once", "Allow always", "Reject"],
          selected: null,
        },
      },
      acceptingInput: "no",
      readyPosture: "unknown",
    },
  );
});

const USER_EDGE = "\x1b[34m";
const ERROR_EDGE = "\x1b[31m";
const PLAIN = "\x1b[0m";
const edged = (color: string, text: string): string =>
  ["", text, ""].map((row) => `  ${color}┃${PLAIN}  ${row}`).join("\n");

function painted(above: string, footer = IDLE): string {
  const rows = ["", "▮", "", "Build · Loop 1 Loop"].map((row) => `  ${USER_EDGE}┃${PLAIN}  ${row}`);
  return `${above}\n\n${rows.join("\n")}\n  ╹${"▀".repeat(40)}\n${footer}`;
}

test("a Turn whose row shows no end has ended when the footer rests: failed with an error box, else interrupted (H35, H36)", () => {
  const opencode = resolveProfile({ tool: "opencode", observedVersion: "1.18.33" }).profile.create();
  const look = (text: string, atMs: number): TuiSignals => opencode.detect(drawnScreen(text), atMs);
  const asked = edged(USER_EDGE, "just say done");
  const open = "     ▣  Build · Loop 1";
  const refused = painted(`${asked}\n\n     $ touch made\n\n${open}`);
  // Before any work was seen, the row belongs to a Turn that has just begun.
  expect(look(refused, 0)).toMatchObject({ readyPosture: "unknown", ending: null });
  expect(look(refused, 60_000)).toMatchObject({ readyPosture: "unknown", ending: null });
  look(painted(asked, BUSY), 61_000);
  expect(look(refused, 62_000)).toMatchObject({ readyPosture: "unknown", ending: null });
  expect(look(refused, 63_500)).toMatchObject({ readyPosture: "yes", ending: { type: "interrupted" } });
  // A retry counts as work.
  const retry = BUSY.replace("esc interrupt", "Internal server error [retrying in 17s attempt #4]");
  look(painted(`${asked}\n\n${open}`, BUSY), 64_000);
  expect(look(painted(`${asked}\n\n${open}`, retry), 70_000)).toMatchObject({
    activeReasons: ["interruptable_footer"],
    ending: null,
  });
  expect(
    look(painted(`${asked}\n\n${edged(ERROR_EDGE, "invalid x-api-key")}\n\n${open}`), 71_000),
  ).toMatchObject({
    readyPosture: "yes",
    ending: { type: "known_failure", error: "invalid x-api-key" },
  });
});

test("the output of an interrupted tool is not an error (H35, H36)", () => {
  const open = "     ▣  Build · Loop 1";
  const output = "$ sleep 60";
  const greys = ["38;5;232", "38;5;59", "38;5;8", "38;2;10;10;10", "38;2;60;64;70"];
  const errors = ["38;5;168", "38;5;1", "38;2;224;108;117"];
  for (const color of [...greys, ...errors]) {
    const opencode = resolveProfile({ tool: "opencode", observedVersion: "1.18.33" }).profile.create();
    const look = (text: string, atMs: number): TuiSignals => opencode.detect(drawnScreen(text), atMs);
    const asked = edged(USER_EDGE, "wait for it");
    look(painted(asked, BUSY), 0);
    const block = edged(`\x1b[${color}m`, output);
    const cut = look(painted(`${asked}\n\n${block}\n\n${open}`), 500);
    expect([color, cut.ending?.type]).toEqual([color, errors.includes(color) ? "known_failure" : undefined]);
    if (errors.includes(color)) continue;
    const interrupted = look(painted(`${asked}\n\n${block}\n\n${open} · interrupted`), 800);
    expect(interrupted.ending?.type).toBe("interrupted");
  }
});

test("a shell's prompt over the box of a killed TUI shows that it has ended (H14)", () => {
  const opencode = resolveProfile({ tool: "opencode", observedVersion: "1.18.33" }).profile.create();
  const kind = (text: string): string => opencode.detect(drawnScreen(text), 0).surface.type;
  const killed = `  ┃\n  ┃  Killed\ndev$ ▮\n  ┃  Build · Loop 1 Loop\n  ╹${"▀".repeat(40)}\n${BUSY}`;
  expect(kind(boxed(turn("Half", ""), BUSY))).toBe("composer");
  expect(kind(killed)).toBe("departed");
  expect(kind("dev$ ls\nREADME.md\ndev$ ▮")).toBe("departed");
  expect(kind(boxed(""))).toBe("composer");
  expect(kind("dev$ ▮")).toBe("other");
});

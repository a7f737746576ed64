import { expect, test } from "vitest";
import { SubmitWatch, toolMark, toolOfCommand, toolOfMark, type TuiScreen } from "../../../src/tui/index.ts";
import { IDLE } from "../tracker/scripted-tui.ts";

test("a tool is recognised only by its program's name, anywhere in the command (H6)", () => {
  const rows: [string[], unknown][] = [
    [["claude"], { tool: "claude", observedVersion: null }],
    [["/usr/local/bin/codex", "--no-alt-screen"], { tool: "codex", observedVersion: null }],
    [["bash", "-lc", "cd x && exec /opt/claude --model m"], { tool: "claude", observedVersion: null }],
    [["npx", "opencode@1.2.3"], { tool: "opencode", observedVersion: "1.2.3" }],
    [["bash", "--rcfile", "/x/claude-rc"], null],
    [["vim", "claude.md"], null],
    [["toString"], null],
  ];
  for (const [command, tool] of rows) expect([command, toolOfCommand(command)]).toEqual([command, tool]);
});

test("a mark names the tool and its version and can be read back (H11)", () => {
  for (const tool of [
    { tool: "claude", observedVersion: "2.1.197" },
    { tool: "codex", observedVersion: null },
  ])
    expect(toolOfMark(toolMark(tool))).toEqual(tool);
  expect(toolMark({ tool: "claude", observedVersion: "2.1.197 (Claude Code)" })).toBe("tui claude 2.1.197");
  for (const label of ["tui", "tui Claude", "tui claude x", "a tui claude", "tui claude 1.2.3 4"])
    expect(toolOfMark(label)).toBeNull();
});

const nothing: TuiScreen = {
  cols: 1,
  rows: 1,
  lines: [""],
  cellsOf: () => [],
  cursor: null,
  title: "",
  programReport: null,
};

/** Returns how many of these writes count as a submit to a TUI that shows the given surface. */
function submits(shows: "composer" | "menu" | "other", ...writes: string[]): number[] {
  const signals = { ...IDLE, surface: { type: shows } };
  const watch = new SubmitWatch({ create: () => ({ detect: () => signals }) });
  return writes.flatMap((data, index) => (watch.isSubmit(data, () => nothing) ? [index] : []));
}

test("text or a paste followed by Enter is a submit; a key alone, abandoned text and an answer are not (H1)", () => {
  expect(submits("composer", "hello", "\r")).toEqual([1]);
  expect(submits("composer", "h", "i", "\r", "\r")).toEqual([2]);
  expect(submits("composer", "hello\r")).toEqual([0]);
  expect(submits("composer", "\x1b[200~two\nlines\x1b[201~", "\r")).toEqual([1]);
  expect(submits("composer", "\x1b[200~two\x1b[201~\r")).toEqual([0]);
  expect(submits("composer", "\r", "\x1b[A", "\r")).toEqual([]);
  expect(submits("composer", "hello", "\x1b", "\r")).toEqual([]);
  expect(submits("composer", "hello", "\x15", "\r")).toEqual([]);
  expect(submits("composer", "\x1b[200~a\rb\x1b[201~")).toEqual([]);
  expect(submits("other", "1", "\r")).toEqual([]);
  expect(submits("menu", "/exit", "\r")).toEqual([]);
});

import { expect, test } from "vitest";
import type { Dialog } from "../../../src/tui/index.ts";
import { screenOf } from "./claude-screens.ts";
import { detector } from "./painted-screens.ts";

function dialogOf(text: string): Dialog {
  const { visibleLines, ...rest } = screenOf(text, { title: "" });
  const screen = { ...rest, lines: visibleLines, cellsOf: () => [], programReport: null };
  const { surface } = detector("2.1.332").detect(screen, 0);
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

import { createHash } from "node:crypto";
import type { SemanticSnapshot } from "agent-tty";

const COLS = 80;
const ROWS = 24;
const RULE = "─".repeat(COLS);

/** A snapshot of a screen written by hand; `▮` marks the terminal cursor and takes no place. */
export function screenOf(
  text: string,
  { title = "✳ Claude Code" }: { title?: string } = {},
): SemanticSnapshot {
  const marked = text.replaceAll("<rule>", RULE).split("\n");
  const row = marked.findIndex((line) => line.includes("▮"));
  const col = row === -1 ? 0 : (marked[row] ?? "").indexOf("▮");
  const lines = marked.map((line) => line.replace("▮", "").trimEnd());
  const visibleLines = [...lines, ...Array.from({ length: ROWS }, () => "")].slice(0, ROWS);
  return {
    seq: 1,
    cols: COLS,
    rows: ROWS,
    visibleLines,
    cursor: { row: Math.max(0, row), col, visible: true },
    title,
    alternateScreen: false,
    screenHash: createHash("sha256").update(visibleLines.join("\n")).digest("hex"),
  };
}

export const trustDialog197 = `
<rule>
 Accessing workspace:

 /home/dev/project

 Quick safety check: Is this a project you created or one you trust?

 Security guide

 ▮❯ 1. Yes, I trust this folder
   2. No, exit

 Enter to confirm · Esc to cancel`;

export const trustDialog329 = `
<rule>
 Accessing workspace:

 /home/dev/project

 Quick safety check: Is this a project you created or one you trust?

 Security guide

 ▮❯ No, exit
   Yes, I trust this folder

 Enter to confirm · Esc to cancel`;

export const apiKeyDialog = `
<rule>
  Detected a custom API key in your environment

  ANTHROPIC_API_KEY: sk-ant-...0001

  Do you want to use this API key?

    1. Yes
  ▮❯ 2. No (recommended)

  Enter to confirm · Esc to cancel`;

export const bashPermission = `❯ Read /tmp/run/control/prompt.md and follow it.

● Bash(touch made)
  ⎿  Waiting…

<rule>
 Bash command

   touch made

 Do you want to proceed?
 ▮❯ 1. Yes
   2. Yes, and don’t ask again for: touch *
   3. Yes, and switch to auto mode · auto mode handles these prompts for you
   4. No

 Esc to cancel · Tab to amend`;

export const autoModePermission = `● Running a command

<rule>
 Bash command

 Do you want to proceed?
   Yes
 ▮❯ No

 Esc to cancel`;

export const modelPicker = `
<rule>
 Select model
 ▮❯ 1. Default (recommended)
   2. Sonnet

 Enter to set as default · Esc to cancel`;

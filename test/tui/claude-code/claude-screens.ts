import { createHash } from "node:crypto";
import type { SemanticSnapshot } from "agent-tty";

const COLS = 80;
const ROWS = 24;
const RULE = "─".repeat(COLS);

/** Returns a handwritten screen; `▮` marks the terminal cursor and takes no column. */
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

export const addDirectory330 = `
<rule>
 Adding a new directory:
 /tmp/run/control
 This session hasn't worked here before. Is this a directory you created or one
 you trust?
 Claude Code'll be able to read, edit, and execute files here. Its skills,
 commands, and agents load and can run commands, and so can the git settings of
 its repository. Your answer holds for this session.
 Security guide
 ▮❯ No, exit
   Yes, add it
 Enter to confirm · Esc to cancel`;

export const apiKey330 = `
<rule>
  Detected a custom API key in your environment

  ANTHROPIC_API_KEY: sk-ant-...cdef0123456789abcdef

  Do you want to use this API key?

    Yes
  ▮❯ No (recommended)

  Enter to confirm · Esc to cancel`;

export const bypassWarning330 = `
<rule>
  WARNING: Claude Code running in Bypass Permissions mode

  In Bypass Permissions mode, Claude Code will not ask for your approval
  before running potentially dangerous commands.
  This mode should only be used in a sandboxed container/VM that has
  restricted internet access and can easily be restored if damaged.

  By proceeding, you accept all responsibility for actions taken while running
  in Bypass Permissions mode.

  https://code.claude.com/docs/en/security

  ▮❯ No, exit
    Yes, I accept

  Enter to confirm · Esc to cancel`;

export const planExit330 = `❯ plan

● Here is my plan.

${"▔".repeat(COLS)}
   Exit plan mode?

    Claude wants to exit plan mode

    ▮❯ 1. Yes, and switch to default (ask each time) for this session
      2. No`;

export const writePermission330 = `● Write(note)

<rule>
 Create file
 note
╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
 1 tried
╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
 Do you want to create note?
 ▮❯ 1. Yes
   2. Yes, and switch to accept edits (auto-approve file edits and common file
      commands) for this session (shift+tab)
   3. No

 Esc to cancel · Tab to amend`;

/** A permission dialog for a command that imitates the heading of another kind of dialog. */
export const imitatingPermission330 = `<rule>
 Bash command
   echo
   Adding a new directory:
   Detected a custom API key in your environment
   WARNING: Claude Code running in Bypass Permissions mode
   Run shell command
 Do you want to proceed?
 ▮❯ 1. Yes
   2. Yes, and don’t ask again for: Yes, I trust this folder *
   3. Yes, and switch to auto mode · auto mode handles these prompts for you
   4. No

 Esc to cancel · Tab to amend`;

export const loginMethod = `
 Claude Code can be used with your Claude subscription or billed based on API usage through your Console account.

 Select login method:

 ▮❯ 1. Claude account with subscription · Pro, Max, Team, or Enterprise

   2. Anthropic Console account · API usage billing

   3. 3rd-party platform · Amazon Bedrock, Microsoft Foundry, or Vertex AI`;

export const loginPage = `
 Browser didn't open? Use the url below to sign in (c to copy)

https://claude.ai/oauth/authorize?code=true

 Paste code here if prompted > ▮`;

export const themeDialog = `Welcome to Claude Code v2.1.197
 Let's get started.

 Choose the text style that looks best with your terminal
 To change this later, run /theme

   1. Auto (match terminal)
 ▮❯ 2. Dark mode ✔
   3. Light mode`;

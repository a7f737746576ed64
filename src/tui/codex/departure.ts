import type { TuiScreen } from "../tui-screen.ts";

/** A shell's prompt with the text typed at it. It starts at the left edge, where Codex prints only marks. */
const SHELL_PROMPT = /^(?:[^\s•◦■⚠✔✗›│╭╰└─>][^›•]*?)?[$#%❯»](?: .*)?$/u;
/** The lines that Codex prints when it exits. */
const FAREWELL =
  /^(?:Token usage: total=|Session ID: [0-9a-f-]{8}|To continue this session, run |Disconnected from this task|Shutting down)/;
const FAREWELL_MAX_DISTANCE = 6;

/**
 * Returns the row that shows that another program has the terminal, or null if there is none. Call it only for screens without a
 * composer. A capture without a cursor may be old: the process probe then decides whether the TUI is gone (H14).
 */
export function readDeparture({ lines, cursor, programReport }: TuiScreen): number | null {
  const bottom = lines.findLastIndex((line) => line !== "");
  if (bottom === -1 || cursor === null || !cursor.visible) return null;
  if (isShellPrompt(lines[cursor.row] ?? "")) return cursor.row;
  const farewell = lines.findLastIndex(
    (line, row) => row > bottom - FAREWELL_MAX_DISTANCE && row <= cursor.row && FAREWELL.test(line),
  );
  if (farewell !== -1) return farewell;
  return programReport?.startsWith("state=clear") === true ? bottom : null;
}

/** Returns whether the line is a shell's prompt. */
export function isShellPrompt(line: string): boolean {
  return SHELL_PROMPT.test(line);
}

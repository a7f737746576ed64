import type { Awaited } from "./commands/wait.ts";
import { usageError, wholeNumber } from "./usage.ts";

export interface WaitFlags {
  text?: string;
  regex?: string;
  cursorRow?: string;
  cursorCol?: string;
  screenStableMs?: string;
  idleMs?: string;
  exit?: boolean;
  afterSeq?: string;
}

/** Returns what a wait is for: the exit, silence, what the screen shows, or several of these together. Throws USAGE. */
export function awaitedOf(flags: WaitFlags): Awaited {
  const { text, regex, cursorRow, cursorCol, screenStableMs, idleMs, exit = false, afterSeq } = flags;
  const number = (name: string, value: string | undefined): number | undefined =>
    value === undefined ? undefined : wholeNumber(name, value, 0);
  const condition = given({
    text,
    regex,
    cursorRow: number("--cursor-row", cursorRow),
    cursorCol: number("--cursor-col", cursorCol),
    screenStableMs: number("--screen-stable-ms", screenStableMs),
    afterSeq: number("--after-seq", afterSeq),
  });
  const looksAtScreen = Object.keys(condition).some((part) => part !== "afterSeq");
  if (!exit && idleMs === undefined && !looksAtScreen)
    throw usageError(
      "a wait is for --exit, for --idle-ms, or for what the screen shows",
      "Give at least one of --exit, --idle-ms, --text or --regex, --cursor-row, --cursor-col and --screen-stable-ms",
    );
  if (afterSeq !== undefined && !looksAtScreen)
    throw usageError(
      "--after-seq needs a condition on the screen",
      "Omit --after-seq, or add a condition such as --text",
    );
  return { condition, exit, idleMs: idleMs === undefined ? null : wholeNumber("--idle-ms", idleMs, 1) };
}

function given(parts: Record<string, string | number | undefined>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(parts).filter((part): part is [string, string | number] => part[1] !== undefined),
  );
}

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

/** One of: the exit, silence, or what the screen shows. Throws USAGE. */
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
  if (Number(exit) + Number(idleMs !== undefined) + Number(looksAtScreen) !== 1)
    throw usageError(
      "a wait is for --exit, for --idle-ms, or for what the screen shows",
      "Give exactly one of the three; --text or --regex, cursor and --screen-stable-ms can be combined",
    );
  if (exit) return { type: "exit" };
  if (idleMs !== undefined) return { type: "idle", idleMs: wholeNumber("--idle-ms", idleMs, 1) };
  return { type: "screen", condition };
}

function given(parts: Record<string, string | number | undefined>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(parts).filter((part): part is [string, string | number] => part[1] !== undefined),
  );
}

import type { TuiScreen } from "../tui-screen.ts";

/** The state that the program's title and report show, outside the screen; null: it shows none. */
export type ProgramState = "working" | "blocked" | "done" | "failed" | "idle" | null;

const SPINNING = /^[\u2801-\u28ff] /u;
const ACTION_REQUIRED = /^\[ [!.] \] Action Required/;
const REPORTED: Readonly<Record<string, ProgramState>> = {
  working: "working",
  blocked: "blocked",
  done: "done",
  error: "failed",
  idle: "idle",
};

/**
 * Returns the state that title and report show together, or null if they show none. If either shows work, the program works: at
 * the start of a Turn the title changes one frame after the report, and at its end the report of the next Turn comes before the
 * plain title. Otherwise the report is preferred, because a plain title does not show how a Turn ended. No text that the model or
 * a tool prints can change either.
 */
export function readProgramState({ title, programReport }: TuiScreen, titleTellsRest: boolean): ProgramState {
  const reported = REPORTED[/^state=([a-z]+)/.exec(programReport ?? "")?.[1] ?? ""] ?? null;
  if (ACTION_REQUIRED.test(title) || reported === "blocked") return "blocked";
  if (SPINNING.test(title) || reported === "working") return "working";
  if (reported !== null) return reported;
  return title !== "" && titleTellsRest ? "idle" : null;
}

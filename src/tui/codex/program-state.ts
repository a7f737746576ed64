import type { TuiScreen } from "../tui-screen.ts";

/** What the program says of itself past the screen, by its title and its report; null: it says nothing. */
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
 * Work in either word is work: the title follows the report by a frame at the start of a Turn, and the report's next
 * word comes before the title is plain at its end. Otherwise the report is preferred: a plain title tells nothing of how
 * a Turn ended. No text that the model or a tool prints can reach either.
 */
export function readProgramState({ title, programReport }: TuiScreen, titleTellsRest: boolean): ProgramState {
  const reported = REPORTED[/^state=([a-z]+)/.exec(programReport ?? "")?.[1] ?? ""] ?? null;
  if (ACTION_REQUIRED.test(title) || reported === "blocked") return "blocked";
  if (SPINNING.test(title) || reported === "working") return "working";
  if (reported !== null) return reported;
  return title !== "" && titleTellsRest ? "idle" : null;
}

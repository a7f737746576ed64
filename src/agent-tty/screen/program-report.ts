import type { IDisposable, Terminal } from "@xterm/headless";

/** The OSC number by which coding TUIs report their own state, e.g. `state=working:app=codex`. */
export const PROGRAM_REPORT = 7501;
const MAX_CHARACTERS = 512;
/** A field that names a task which the program runs beside its session: the report is of that task alone. */
const TASK_FIELD = /[:;]id=/;

/**
 * Calls `note` with each report that the program makes of its session, without its number. Queries, over-long reports and
 * reports of a single task are passed over.
 */
export function watchProgramReports({ parser }: Terminal, note: (report: string) => void): IDisposable {
  return parser.registerOscHandler(PROGRAM_REPORT, (report) => {
    const isReport = report.startsWith("state=") && report.length <= MAX_CHARACTERS;
    if (isReport && !TASK_FIELD.test(report)) note(report);
    return isReport;
  });
}

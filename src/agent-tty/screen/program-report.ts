import type { IDisposable, Terminal } from "@xterm/headless";

/** The OSC number with which coding TUIs report their own state, e.g. `state=working:app=codex`. */
export const PROGRAM_REPORT = 7501;
const MAX_CHARACTERS = 512;
/** A field that names a task that the program runs beside its session: such a report is only about that task. */
const TASK_FIELD = /[:;]id=/;

/**
 * Calls `note` with each report that the program makes about its session, without the OSC number. Queries, reports that are too
 * long and reports about a single task are ignored.
 */
export function watchProgramReports({ parser }: Terminal, note: (report: string) => void): IDisposable {
  return parser.registerOscHandler(PROGRAM_REPORT, (report) => {
    const isReport = report.startsWith("state=") && report.length <= MAX_CHARACTERS;
    if (isReport && !TASK_FIELD.test(report)) note(report);
    return isReport;
  });
}

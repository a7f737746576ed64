import type { IDisposable, Terminal } from "@xterm/headless";

/** The OSC number by which coding TUIs report their own state, e.g. `state=working:app=codex`. */
export const PROGRAM_REPORT = 7501;
const MAX_CHARACTERS = 512;

/** Calls `note` with each report, without its number; queries and over-long ones are none. */
export function watchProgramReports({ parser }: Terminal, note: (report: string) => void): IDisposable {
  return parser.registerOscHandler(PROGRAM_REPORT, (report) => {
    const isReport = report.startsWith("state=") && report.length <= MAX_CHARACTERS;
    if (isReport) note(report);
    return isReport;
  });
}

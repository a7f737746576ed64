import type { BatchDocument } from "./batch-documents.ts";
import type { ArtifactKind, RunDocument, RunRowDocument, TerminalDocument } from "./run-documents.ts";
import type { StateSeriesDocument } from "./state-documents.ts";
import type { StatisticsDocument } from "./statistics-document.ts";
import type { RecordingDocument } from "./terminal-documents.ts";

/** What a static report holds at its top: one file gives it to the page. Written and read by one version of the program. */
export interface ReportIndex {
  schema: "afk-triage/report-index@1";
  batch: BatchDocument;
  runs: RunRowDocument[];
  statistics: StatisticsDocument;
  /** Run id → the file that holds the rest of it, relative to the page. */
  files: Record<string, string>;
}

/** The rest of one Triage Run, in a file of its own. */
export interface ReportRun {
  schema: "afk-triage/report-run@1";
  run: RunDocument;
  terminals: {
    name: TerminalDocument["name"];
    recording: RecordingDocument;
    states: StateSeriesDocument | null;
  }[];
  /** Relative to the page; only what was small enough to be taken along. */
  artifacts: Partial<Record<ArtifactKind, string>>;
}

import type { BatchDocument, BatchTimelineDocument } from "./batch-documents.ts";
import type { DuplicatesDocument } from "./duplicates-document.ts";
import type { IssueDocument } from "./issue-document.ts";
import type { ArtifactKind, RunDocument, RunRowDocument, TerminalDocument } from "./run-documents.ts";
import type { StateSeriesDocument } from "./state-documents.ts";
import type { StatisticsDocument } from "./statistics-document.ts";
import type { RecordingDocument } from "./terminal-documents.ts";
import type { TrustDocument } from "./trust-document.ts";

/**
 * The main document of a static report, which one file passes to the page. The same version of the program writes and
 * reads it.
 */
export interface ReportIndex {
  schema: "afk-triage/report-index@1";
  batch: BatchDocument;
  runs: RunRowDocument[];
  timeline: BatchTimelineDocument;
  statistics: StatisticsDocument;
  duplicates: DuplicatesDocument;
  trust: TrustDocument;
  /** Run id → the file with the rest of the run, relative to the page. */
  files: Record<string, string>;
}

/** The part of a report about one Triage Run, in a separate file. */
export interface ReportRun {
  schema: "afk-triage/report-run@1";
  run: RunDocument;
  issue: IssueDocument;
  terminals: {
    name: TerminalDocument["name"];
    recording: RecordingDocument;
    states: StateSeriesDocument | null;
  }[];
  /** The artifacts' files, relative to the page. Artifacts that are too large to be copied are omitted. */
  artifacts: Partial<Record<ArtifactKind, string>>;
}

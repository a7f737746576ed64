import { loadScript } from "../browser/index.ts";
import { type BoardData, BoardFailure, type TerminalName } from "./board-data.ts";
import { parseShown } from "./visible-text.ts";
import { shownRuns, totalsOf } from "../selection/index.ts";
import type { ReportIndex, ReportRun } from "../../api/index.ts";

type Receive = (document: ReportIndex | ReportRun) => void;
declare global {
  interface Window {
    /** Set by the report's page before its scripts; the report's files call it with their data. */
    afkTriageReport?: Receive;
  }
}

/**
 * Returns the data of a static report. From file:// neither fetch nor module scripts work, so the data files are
 * classic scripts, loaded on demand.
 */
export function reportBoardData(indexFile: string): BoardData {
  const runs = new Map<string, ReportRun>();
  let index: ReportIndex | null = null;
  window.afkTriageReport = (document) => {
    if (document.schema === "afk-triage/report-index@1") index = shown(document);
    else
      runs.set(document.run.run.id, { ...document, run: shown(document.run), issue: shown(document.issue) });
  };
  const top = async (): Promise<ReportIndex> => {
    if (index === null) await load(indexFile);
    if (index === null) throw missing(indexFile);
    return index;
  };
  const runOf = async (id: string): Promise<ReportRun> => {
    const file = (await top()).files[id];
    if (file !== undefined && !runs.has(id)) await load(file);
    const found = runs.get(id);
    if (found === undefined) throw missing(file ?? id);
    return found;
  };
  const terminalOf = async (id: string, name: TerminalName): Promise<ReportRun["terminals"][number]> => {
    const found = (await runOf(id)).terminals.find((terminal) => terminal.name === name);
    if (found === undefined) throw missing(`the recording of ${id}`);
    return found;
  };
  return {
    source: "report",
    allowsControl: () => Promise.resolve(false),
    batches: async () => ({
      schema: "afk-triage/board-batches@1",
      ...wholeList,
      batches: [(await top()).batch],
    }),
    batch: async () => (await top()).batch,
    timeline: async () => (await top()).timeline,
    runs: async (filters) => {
      const runs = shownRuns((await top()).runs, filters, 0);
      return { schema: "afk-triage/board-runs@1", ...wholeList, runs, total: runs.length };
    },
    totals: async (chosen) => totalsOf((await top()).runs, chosen, 0),
    run: async (id) => (await runOf(id)).run,
    issue: async (id) => (await runOf(id)).issue,
    state: () => Promise.resolve({ type: "none", reason: "a report has no live state" }),
    states: async (id, terminal) => {
      const { states } = await terminalOf(id, terminal);
      if (states === null) throw missing(`the tracked states of ${id}`);
      return states;
    },
    recording: async (id, terminal) => (await terminalOf(id, terminal)).recording,
    searchRecording: readOnly,
    statistics: async () => (await top()).statistics,
    duplicates: async () => (await top()).duplicates,
    trust: async () => (await top()).trust,
    artifactUrl: (id, kind) => runs.get(id)?.artifacts[kind] ?? null,
    artifactText: readOnly,
    follow: (_afterSeq, { connection }) => quiet(connection),
    watchTerminal: (_watched, { connection }) => quiet(connection),
    answerDialog: readOnly,
    send: readOnly,
    stop: readOnly,
    kill: readOnly,
    startFollowUp: readOnly,
    followUps: readOnly,
  };
}

function shown<Document>(document: Document): Document {
  return parseShown(JSON.stringify(document)) as Document;
}

/** The list fields of a report, which has no pages and no changes. */
const wholeList = { seq: 0, next: null, damaged: [] };

function quiet(tell: (connection: { type: "still" }) => void): () => void {
  tell({ type: "still" });
  return () => undefined;
}

function load(source: string): Promise<void> {
  return loadScript(source).catch(() => {
    throw missing(source);
  });
}

function missing(what: string): BoardFailure {
  return new BoardFailure({
    code: "REPORT_INCOMPLETE",
    message: `${what} is not in this report.`,
    remedy: "Unpack the whole artifact, or create the report again with `afk-triage report`.",
  });
}

function readOnly(): Promise<never> {
  return Promise.reject(
    new BoardFailure({
      code: "READ_ONLY",
      message: "A report is read-only.",
      remedy: "Use `afk-triage serve`.",
    }),
  );
}

import { outputBytesAfter, readLastSeq } from "agent-tty";
import type { Clock, Ids } from "agent-tty/kit";
import type {
  AnswerRequest,
  BatchDocument,
  BoardRunKey,
  FollowUpCommand,
  StatisticsDocument,
} from "../api/index.ts";
import {
  type BoardSource,
  type RunSelection,
  type TerminalName,
  type TotalsSelection,
} from "../server/index.ts";
import type { RepositoryName } from "../../github/index.ts";
import { readRuns, type RunRow, type Store } from "../../store/index.ts";
import { findEvidence, type RunEvidence } from "../../home/index.ts";
import { openTrustLedger } from "../../trust/index.ts";
import { openArtifact } from "./artifacts.ts";
import { BatchSummaries } from "./batch-summaries.ts";
import { BoardHome, type BoardPlaces } from "./board-home.ts";
import { BoardLists } from "./board-lists.ts";
import { BoundedCache } from "./bounded-cache.ts";
import type { FollowUps } from "./follow-ups.ts";
import { duplicatesDocument } from "./duplicates-document.ts";
import { answerInRun, endRun, sendToRun, startFollowUp } from "./control-run.ts";
import { issueDocument } from "./issue-document.ts";
import { followTerminal } from "./follow-terminal.ts";
import { recordingDocument } from "./recording-document.ts";
import { searchRecording } from "./recording-search.ts";
import { recordingWindow } from "./recording-window.ts";
import { runDocument } from "./run-document.ts";
import { type SourceLimits, sourceLimits } from "./source-limits.ts";
import { statisticsOf } from "./statistics.ts";
import { storeChanges } from "./store-changes.ts";
import { terminalsOf } from "./terminals.ts";
import { trustDocument } from "./trust-document.ts";
import { TrackedStates, type TrackedSession } from "./tracked-states.ts";
import { unlessDamaged } from "./unless-damaged.ts";

const STATISTICS_FRESH_MS = 10_000;

/**
 * Opens the board source of one home: its store, its Sessions, the kept evidence of its runs, and its living parents. Without
 * `followUps`, it starts no commands. Disposing it also disposes `followUps`.
 */
export function openBoardSource(
  directory: string,
  ports: { clock: Clock; ids: Ids; limits?: Partial<SourceLimits>; followUps?: FollowUps | null },
  places: BoardPlaces = {},
): BoardSource & AsyncDisposable {
  const limits = { ...sourceLimits, ...ports.limits };
  return new HomeSource(new BoardHome(directory, ports, places), limits, ports.followUps ?? null);
}

class HomeSource implements BoardSource, AsyncDisposable {
  readonly #home: BoardHome;
  readonly #limits: SourceLimits;
  readonly #clock: Clock;
  readonly #summaries = new BatchSummaries();
  readonly #lists: BoardLists;
  readonly #tracked: TrackedStates;
  readonly #trust = new BoundedCache<ReturnType<typeof trustDocument>>(4);
  readonly #statistics = new BoundedCache<StatisticsDocument>(4);
  readonly #followUps: FollowUps | null;

  constructor(home: BoardHome, limits: SourceLimits, followUps: FollowUps | null) {
    this.#followUps = followUps;
    this.#home = home;
    this.#limits = limits;
    this.#clock = home.clock;
    this.#lists = new BoardLists(home, this.#summaries);
    this.#tracked = new TrackedStates(home.clock);
  }

  batches(selection: Parameters<BoardSource["batches"]>[0]): ReturnType<BoardSource["batches"]> {
    return this.#lists.batches(selection);
  }

  batch(runId: string): Promise<BatchDocument | null> {
    return this.#lists.batch(runId);
  }

  unfinishedBatches(limit: number): Promise<BatchDocument[]> {
    return this.#lists.unfinishedBatches(limit);
  }

  timeline(runId: string): ReturnType<BoardSource["timeline"]> {
    return this.#lists.timeline(runId);
  }

  runs(selection: RunSelection): ReturnType<BoardSource["runs"]> {
    return this.#lists.runs(selection);
  }

  totals(selection: TotalsSelection): ReturnType<BoardSource["totals"]> {
    return this.#lists.totals(selection);
  }

  async run(key: BoardRunKey): ReturnType<BoardSource["run"]> {
    const found = await this.#find(key);
    if (found === null) return null;
    const { store, row } = found;
    const [evidence, terminals] = await Promise.all([
      this.#evidence(key),
      terminalsOf(row.facts, this.#home),
    ]);
    const issue = this.#summaries.issue(store, row.facts);
    const isParentDead = await this.#lists.isParentDead(store, row);
    return runDocument({ row, issue, isParentDead, evidence, terminals, nowMs: this.#clock.nowMs() });
  }

  async issue(key: BoardRunKey): ReturnType<BoardSource["issue"]> {
    if ((await this.#find(key)) === null) return null;
    return issueDocument((await this.#evidence(key)).files);
  }

  async artifact(
    key: BoardRunKey,
    kind: Parameters<BoardSource["artifact"]>[1],
  ): ReturnType<BoardSource["artifact"]> {
    if ((await this.#find(key)) === null) return null;
    return openArtifact((await this.#evidence(key)).files, kind);
  }

  async state(key: BoardRunKey, signal: AbortSignal): ReturnType<BoardSource["state"]> {
    if ((await this.#find(key)) === null) return null;
    const session = await this.#session(key, "triage-agent");
    if (session === null) return { type: "none", reason: "the run has no terminal" };
    return this.#tracked.now(session, signal);
  }

  async states(key: BoardRunKey, terminal: TerminalName): ReturnType<BoardSource["states"]> {
    const session = await this.#session(key, terminal);
    return session === null ? null : this.#tracked.series(session);
  }

  async recording(
    key: BoardRunKey,
    terminal: TerminalName,
    asked: Parameters<BoardSource["recording"]>[2],
  ): ReturnType<BoardSource["recording"]> {
    const session = await this.#session(key, terminal);
    if (session === null) return null;
    const { home, manifest } = session;
    const { sessionId } = manifest;
    if (asked.type === "at") return recordingWindow(home, sessionId, asked.tMs, this.#limits);
    if (asked.type === "end")
      return recordingDocument(home, sessionId, {
        ...this.#limits,
        recordingCharacters: asked.maxCharacters,
      });
    return (await this.#isLong(session))
      ? recordingWindow(home, sessionId, Number.POSITIVE_INFINITY, this.#limits)
      : recordingDocument(home, sessionId, this.#limits);
  }

  async searchRecording(
    key: BoardRunKey,
    terminal: TerminalName,
    query: Parameters<BoardSource["searchRecording"]>[2],
    signal: AbortSignal,
  ): ReturnType<BoardSource["searchRecording"]> {
    const session = await this.#session(key, terminal);
    if (session === null) return null;
    const { home, manifest } = session;
    return searchRecording(home, manifest.sessionId, query, { limits: this.#limits, signal });
  }

  async terminal(
    key: BoardRunKey,
    terminal: TerminalName,
    reading: Parameters<BoardSource["terminal"]>[2],
  ): ReturnType<BoardSource["terminal"]> {
    const session = await this.#session(key, terminal);
    return session === null
      ? null
      : followTerminal(session.home, session.manifest.sessionId, reading, this.#limits);
  }

  async duplicates(): ReturnType<BoardSource["duplicates"]> {
    const store = await this.#home.store();
    return duplicatesDocument(store?.duplicateLinks(null) ?? [], urlsOf(store));
  }

  trust(repo: string | null): ReturnType<BoardSource["trust"]> {
    const moment = Math.floor(this.#clock.monotonicMs() / STATISTICS_FRESH_MS);
    return this.#trust.get(`${repo ?? ""} ${moment}`, async () => {
      const store = await this.#home.store();
      const read = store === null ? { facts: [], damaged: [] } : openTrustLedger(store).readable(null);
      return trustDocument(read.facts, repo, urlsOf(store), read.damaged);
    });
  }

  statistics(days: number): ReturnType<BoardSource["statistics"]> {
    const moment = Math.floor(this.#clock.monotonicMs() / STATISTICS_FRESH_MS);
    return this.#statistics.get(`${days} ${moment}`, async () => {
      return statisticsOf(await this.#home.store(), days, this.#clock.nowMs());
    });
  }

  async lastChange(): Promise<number> {
    return (await this.#home.store())?.lastChange() ?? 0;
  }

  changes(cursor: number, signal: AbortSignal): ReturnType<BoardSource["changes"]> {
    return storeChanges(this.#home, cursor, signal, {
      run: async (store, { runId, repo, number }) => {
        const facts = unlessDamaged(() => store.run(runId, repo, number));
        if (facts === null) return null;
        return (await this.#lists.rows(store, [facts], this.#clock.nowMs()))[0] ?? null;
      },
      batch: (store, runId) => this.#lists.batchOf(store, runId),
    });
  }

  async send(key: BoardRunKey, text: string, signal: AbortSignal): ReturnType<BoardSource["send"]> {
    const found = await this.#find(key);
    return found === null ? null : sendToRun(found, found.row, text, signal);
  }

  async answerDialog(
    key: BoardRunKey,
    answer: AnswerRequest,
    signal: AbortSignal,
  ): ReturnType<BoardSource["answerDialog"]> {
    const found = await this.#find(key);
    return found === null ? null : answerInRun(found, found.row, answer, signal);
  }

  async stop(key: BoardRunKey, how: "stop" | "kill", signal: AbortSignal): ReturnType<BoardSource["stop"]> {
    const found = await this.#find(key);
    return found === null ? null : endRun(found, found.row, how, signal);
  }

  async startFollowUp(key: BoardRunKey, command: FollowUpCommand): ReturnType<BoardSource["startFollowUp"]> {
    const found = await this.#find(key);
    if (found === null) return null;
    const { store, row } = found;
    const provider = store.batch(key.runId)?.provider ?? null;
    return startFollowUp(this.#followUps, row, command, { home: this.#home.directory, provider });
  }

  async followUps(key: BoardRunKey): ReturnType<BoardSource["followUps"]> {
    if ((await this.#find(key)) === null) return null;
    return this.#followUps?.of(key) ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#followUps?.[Symbol.asyncDispose]();
    await this.#tracked[Symbol.asyncDispose]();
    this.#home[Symbol.dispose]();
  }

  async #find({
    runId,
    repo,
    number,
  }: BoardRunKey): Promise<{ home: string; store: Store; row: RunRow } | null> {
    const store = await this.#home.store();
    if (store === null) return null;
    const [row] = readRuns(store, this.#clock.nowMs(), { type: "run", runId, repo, number });
    return row === undefined ? null : { home: this.#home.workerDirectory, store, row };
  }

  async #session(key: BoardRunKey, terminal: TerminalName): Promise<TrackedSession | null> {
    const found = await this.#find(key);
    if (found === null) return null;
    const { facts } = found.row;
    if (terminal === "triage-agent")
      return facts.sessionId === null ? null : this.#home.session(facts.sessionId);
    const named = (await terminalsOf(facts, this.#home)).find(({ name }) => name === terminal);
    return named === undefined ? null : this.#home.session(named.sessionId);
  }

  async #isLong({ home, manifest }: TrackedSession): Promise<boolean> {
    const directory = home.sessionDirectory(manifest.sessionId);
    const { recordingCharacters, recordingFrames } = this.#limits;
    const [bytes, events] = await Promise.all([outputBytesAfter(directory, 0), readLastSeq(directory)]);
    return (bytes * 4) / 3 > recordingCharacters || events.lastSeq > recordingFrames;
  }

  #evidence({ runId, repo, number }: BoardRunKey): Promise<RunEvidence> {
    return findEvidence(this.#home.directory, runId, { repo: repo as RepositoryName, number });
  }
}

/**
 * Returns a function that returns the URL of an issue from its latest Triage Run; null: that run did not record it, or there is
 * none.
 */
function urlsOf(store: Store | null): (repo: string, number: number) => string | null {
  return (repo, number) =>
    store === null ? null : (unlessDamaged(() => store.latestRun(repo, number))?.issue?.url ?? null);
}

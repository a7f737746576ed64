import type { Home } from "agent-tty";
import type { Clock, Ids } from "agent-tty/kit";
import type { DuplicateIndexes } from "../../duplicates/index.ts";
import type {
  GithubReader,
  GithubSuggestions,
  GithubWriter,
  Issue,
  IssueComment,
  IssueRef,
  Person,
  RepositoryName,
  Repository,
} from "../../github/index.ts";
import type { RunService } from "../../runs/index.ts";
import type { CoderWorkspaceProvider, ModelMeter, WorkspaceIdentity } from "../../workspaces/index.ts";
import type { Store } from "../../store/index.ts";
import type { AuditLog } from "../audit/index.ts";
import type { CheckpointLibrary } from "../checkpoint-library.ts";
import type { CanaryDetector, SessionCleaner } from "../quarantine/index.ts";
import type { ReproductionLibrary } from "../reproductions/index.ts";
import type { TriageAgent } from "../triage-agent.ts";
import type { BatchObserver } from "./batch-event.ts";
import type { BatchSettings } from "./settings.ts";
import type { BatchTrust } from "./batch-trust.ts";
import type { PublicationTurns } from "./publication-turns.ts";

/** The Coder workspaces of failed runs that this batch keeps for people. Disposal waits for deletions that have begun. */
export interface Inspections extends AsyncDisposable {
  /** Adds the number of Coder workspaces that any parent keeps already. */
  noteEarlier(count: number): void;
  /** Returns the end of the inspection as an ISO time; null: the Coder workspace is not kept, and the caller destroys it. */
  keep(workspace: WorkspaceIdentity, ref: IssueRef, signal: AbortSignal): Promise<string | null>;
}

export interface BatchPorts {
  reader: GithubReader;
  /** Passed only to the applier. */
  writer: GithubWriter;
  /** GitHub's own suggestions; undefined: this batch makes none. */
  suggestions?: GithubSuggestions;
  provider: CoderWorkspaceProvider;
  triageAgent: TriageAgent;
  /**
   * Reads the usage that a gateway in front of the model counts; null: there is no gateway, or no permission to read its counts.
   */
  modelMeter: ModelMeter | null;
  /** Where Sessions keep their Event Logs. */
  sessionHome: Home;
  /** The read model of this home's runs. */
  store: Store;
  /** The reproductions that this home has verified (T8). */
  reproductions: ReproductionLibrary;
  /** Results that Triage Runs of this home have paid for and not published yet (T9). */
  checkpoints: CheckpointLibrary;
  /** The repositories' own issues, searchable for likely duplicates (D1). */
  duplicates: DuplicateIndexes;
  /** `<home>/runs`: one directory per batch, with one directory per issue below it. The control sockets are next to `runs`. */
  runsDirectory: string;
  /** Creates a git bundle of a repository with the parent's own access, for `checkout.strategy: bundle`. */
  bundle: (repository: Repository, url: string, signal: AbortSignal, ref: IssueRef) => Promise<Uint8Array>;
  markers: MarkerSettings;
  publishing: PublicationTurns;
  /** Detects the parent's secrets: nothing that contains one is kept or published (S8). */
  canaries: CanaryDetector;
  /** Searches and cleans what Sessions showed, off this thread. */
  cleaner: SessionCleaner;
  /** `hostname/pid/startTime` of this parent, part of every lease. */
  parent: string;
  clock: Clock;
  ids: Ids;
  observe: BatchObserver;
  /** Runs the work on one issue in a scope from which the log knows which of its lines belong to that issue. */
  withinIssue: <Result>(ref: IssueRef, work: () => Promise<Result>) => Promise<Result>;
}

export interface MarkerSettings {
  /** The keys, newest first: the first one signs, and each of them can verify. Empty: markers are unsigned. */
  keys: readonly string[];
  /** Logins or numeric ids of the other authors whose markers are trusted. */
  trustedAuthors: readonly (number | string)[];
}

/** The part of a batch's work on its issues that the steps of a Triage Run need. */
export interface WorkFacts {
  /** Whether a verified reproduction is also turned into a regression test (V6), which takes further runs. */
  makesRegressionTests: boolean;
  /** Called when GitHub shows what was planned. `comment` is null when none was written; `issue` is its present state. */
  published(published: { comment: IssueComment | null; issue: Issue }): Promise<void>;
}

/** The fixed facts of one batch, shared by all its Triage Runs. */
export interface BatchContext {
  runId: string;
  settings: BatchSettings;
  /** The part of the batch's work that every step needs. */
  work: WorkFacts;
  ports: BatchPorts;
  viewer: Person;
  repositories: ReadonlyMap<RepositoryName, Repository>;
  /** The owners of this batch's Triage Runs (C3). */
  service: RunService;
  /** How people reacted to earlier outcomes, and how much autonomy this batch therefore has (E4). */
  trust: BatchTrust;
  /** The failed runs' Coder workspaces that this batch keeps for people. */
  inspections: Inspections;
  /** The log of this batch's writes to GitHub (T10). */
  audit: AuditLog;
  /**
   * Aborted by the first SIGINT, SIGTERM or SIGHUP, and by the batch deadline; within a Triage Run, also by the stop or kill of
   * that run.
   */
  stop: AbortSignal;
}

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OperationalError } from "agent-tty/kit";
import { maskSecrets } from "../../github/index.ts";
import type { WorkspaceIdentity } from "../../workspaces/index.ts";
import { type CanaryHit, secretLeaked } from "../quarantine/index.ts";
import type { BatchPorts } from "./batch-context.ts";
import type { WatchedPhase } from "./batch-event.ts";
import { runDirectory } from "./run-directory.ts";
import { shownTitle } from "./screen-issue.ts";
import type { Candidate } from "./candidate.ts";
import { describeFailure, failureReason, goneReasonOf, isIssueGone, StopRequested } from "./failures.ts";
import type { Usage } from "../triage-agent.ts";
import { isWithoutPlace } from "./without-place.ts";
import {
  type Artifacts,
  emptySummary,
  noArtifacts,
  type IssueStatus,
  type IssueSummary,
  type Timings,
} from "./summary.ts";

/** Where a batch keeps its files and reports its events, and whether it is stopping. */
interface RecordDeps {
  runId: string;
  ports: Pick<BatchPorts, "runsDirectory" | "observe" | "clock" | "canaries">;
  stop: AbortSignal;
}

/** Builds one Triage Run's line in the summary, and keeps its files in `<home>/runs/<run id>/<owner>__<name>-<n>`. */
export class RunRecord {
  readonly directory: string;
  /** Whether the usage of the issue's checkpoint is part of this line or was reported before. */
  reportsCheckpoint = false;
  /** The Triage Agent's own confidence in its outcome; null without an outcome. */
  confidence: "low" | "medium" | "high" | null = null;
  /** The directories of the run's Sessions. */
  readonly sessions: string[] = [];
  readonly #candidate: Candidate;
  readonly #title: string;
  readonly #context: RecordDeps;
  readonly #summary: IssueSummary;
  #leak: OperationalError | null = null;
  #hasDirectory = false;
  #isWithheld = false;
  readonly #afterDestroy: (() => Promise<void>)[] = [];
  #left: { workspace: WorkspaceIdentity; error: OperationalError } | null = null;

  constructor(candidate: Candidate, context: RecordDeps) {
    const { ref } = candidate.issue;
    this.#candidate = candidate;
    this.#title = shownTitle(candidate);
    this.#context = context;
    this.directory = runDirectory(context.ports.runsDirectory, context.runId, ref);
    this.#summary = emptySummary(ref, "failed", candidate.eligibility.reason);
  }

  get status(): IssueStatus {
    return this.#summary.status;
  }

  get artifacts(): Readonly<Artifacts> {
    return this.#summary.artifacts;
  }

  get evidence(): IssueSummary["evidence"] {
    return this.#summary.evidence;
  }

  get usage(): Usage {
    return this.#summary.usage;
  }

  get hasLeaked(): boolean {
    return this.#leak !== null;
  }

  /** Whether everything that the run showed is withheld from the public, because it is about a vulnerability (S16). */
  get isWithheld(): boolean {
    return this.#isWithheld;
  }

  /** Returns the total time of the run's timed steps so far, in milliseconds. */
  get elapsedMs(): number {
    return Object.values(this.#summary.timings).reduce((sum, ms) => sum + ms, 0);
  }

  get deniedRequests(): IssueSummary["deniedRequests"] {
    return this.#summary.deniedRequests;
  }

  get policy(): string[] {
    return [...this.#summary.policy];
  }

  get reason(): string {
    return this.#summary.reason;
  }

  /** Adds facts to the summary as they become known. */
  note(facts: Partial<Omit<IssueSummary, "repo" | "number" | "artifacts" | "timings">>): void {
    Object.assign(this.#summary, facts);
  }

  noteArtifacts(artifacts: Partial<IssueSummary["artifacts"]>): void {
    Object.assign(this.#summary.artifacts, artifacts);
  }

  /** Defers slow work that needs no Coder workspace until the Coder workspace is deleted. */
  afterDestroy(work: () => Promise<void>): void {
    this.#afterDestroy.push(work);
  }

  /**
   * Does the deferred work. Call it when the Coder workspace is gone, before `finish`. A failure of this work fails the Triage
   * Run, unless that has failed already.
   */
  async finishEvidence(): Promise<void> {
    for (const work of this.#afterDestroy.splice(0))
      await this.timed("cleanMs", work).catch((error: unknown) => {
        if (this.#summary.status !== "failed") this.#failBecause(error);
      });
  }

  /** Returns the path of a file that `keep` writes or will write. */
  pathOf(fileName: string): string {
    return join(this.directory, fileName);
  }

  /** Notes that everything the run left of a vulnerability has been removed (S16). */
  withheld(): void {
    this.#isWithheld = true;
    this.#summary.artifacts = { ...noArtifacts };
    this.#summary.evidence = null;
    this.#summary.deniedRequests = null;
    this.#hasDirectory = false;
    // Cancels the recordings of its Sessions, which would be made when the Coder workspace is gone.
    this.#afterDestroy.length = 0;
  }

  /** Notes a leaked secret (S8). From here on this Triage Run can only fail. Its error and one warning name the first leak. */
  leaked(hit: CanaryHit, place: string): void {
    if (this.#leak !== null) return;
    this.#leak = secretLeaked(hit, place);
    this.#context.ports.observe({ type: "warning", message: this.#leak.message });
  }

  /** Throws SECRET_LEAKED if a leak has been noted. It must be called before anything is decided or published. */
  throwIfLeaked(): void {
    if (this.#leak !== null) throw this.#leak;
  }

  phase(phase: WatchedPhase, detail: string | null = null): void {
    const { ref } = this.#candidate.issue;
    this.#context.ports.observe({ type: "phase", ref, title: this.#title, phase, detail });
  }

  /** Runs one timed step; its duration counts even when it fails. */
  async timed<T>(step: keyof Timings, work: () => Promise<T>): Promise<T> {
    const { clock } = this.#context.ports;
    const startedMs = clock.monotonicMs();
    try {
      return await work();
    } finally {
      this.#summary.timings[step] += Math.round(clock.monotonicMs() - startedMs);
    }
  }

  settle(status: IssueStatus, reason: string): void {
    this.#summary.status = status;
    this.#summary.reason = reason;
  }

  /** Records the error with its code and remedy. A failure while the batch is stopping counts as a skip. */
  fail(error: unknown): void {
    const { aborted, reason } = this.#context.stop;
    const isStranded = error instanceof OperationalError && error.code === "WORKSPACE_STRANDED";
    if (aborted && !isStranded) {
      this.settle("skipped", reason instanceof StopRequested ? reason.reason : "stopped");
      return;
    }
    if (isIssueGone(error)) {
      this.settle("requeued", goneReasonOf(error));
      return;
    }
    // The issue was locked between our last look and the comment. The next batch notices that before it spends anything.
    if (error instanceof OperationalError && error.code === "GITHUB_ISSUE_LOCKED") {
      this.settle("requeued", "issue-locked");
      return;
    }
    this.#failBecause(error);
    // The Triage Agent's result is kept, and nothing is concluded from a verification that did not take place (V1).
    if (isWithoutPlace(error)) this.settle("requeued", "verification-without-place");
  }

  #failBecause(error: unknown): void {
    this.settle("failed", failureReason(error));
    this.#noteStranded(error);
    this.#summary.error = describeFailure(error);
  }

  /** Notes a Coder workspace that may exist although its creation was never confirmed. Sometimes only its name is known. */
  #noteStranded(error: unknown): void {
    if (!(error instanceof OperationalError) || error.code !== "WORKSPACE_STRANDED") return;
    const { name, id } = error.details;
    if (this.#summary.workspace !== null || typeof name !== "string") return;
    const known = typeof id === "string" ? id : null;
    this.#summary.workspace = { name, id: known, destroyed: false, keptUntil: null };
  }

  /** Notes that the second Coder workspace could not be deleted, or may exist with an unknown id. `finish` reports it. */
  leave(workspace: WorkspaceIdentity, error: OperationalError): void {
    this.#left = { workspace, error };
  }

  /** Fails the run because its Coder workspace could not be deleted; the message still names the status before that. */
  strand(error: OperationalError): void {
    const before = this.#summary.status;
    const described = describeFailure(error);
    this.settle("failed", "workspace-stranded");
    this.#summary.error = {
      ...described,
      message: `${described.message} (before that the issue was ${before})`,
    };
  }

  /**
   * Keeps a file and returns its path. Masks token-shaped strings (S18); does not keep content with a secret of the parent, but
   * rejects.
   */
  async keep(fileName: string, content: string | Uint8Array): Promise<string> {
    const isText = typeof content === "string";
    const text = isText ? content : Buffer.from(content).toString("latin1");
    const hit = this.#context.ports.canaries.find(text);
    if (hit !== null) {
      this.leaked(hit, fileName);
      this.throwIfLeaked();
    }
    return this.#write(fileName, Buffer.from(maskSecrets(text), isText ? "utf8" : "latin1"));
  }

  /**
   * Keeps the issue as the Triage Agent receives it (B10), with token-shaped strings masked (S18). If it contains a secret of the
   * parent, people on GitHub wrote that and not this run, so the run continues without the file.
   */
  async keepIssue(text: string): Promise<void> {
    if (this.#context.ports.canaries.find(text) !== null) return;
    this.#write("issue.json", Buffer.from(maskSecrets(text)));
  }

  /** Writes synchronously, because a small file reaches the page cache sooner than one of Node's threads. */
  #write(fileName: string, bytes: Uint8Array): string {
    if (!this.#hasDirectory) mkdirSync(this.directory, { recursive: true, mode: 0o700 });
    this.#hasDirectory = true;
    const path = this.pathOf(fileName);
    writeFileSync(path, bytes, { mode: 0o600 });
    return path;
  }

  finish(): IssueSummary {
    const { observe, canaries } = this.#context.ports;
    if (this.#left !== null) {
      const { name, id } = this.#left.workspace;
      this.note({ workspace: { name, id: id === "" ? null : id, destroyed: false, keptUntil: null } });
      this.strand(this.#left.error);
    }
    if (this.#leak !== null) this.#failBecause(this.#leak);
    const { error } = this.#summary;
    if (error !== null) error.message = canaries.withhold(error.message);
    observe({ type: "issue-finished", summary: this.#summary, title: this.#title });
    return this.#summary;
  }
}

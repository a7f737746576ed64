import { createHash } from "node:crypto";
import type { Session } from "agent-tty";
import type { Ids } from "agent-tty/kit";
import type { Claim } from "../claim.ts";
import type { HeardOfProduct, NamedAnswer } from "../controls/index.ts";
import type { Patience, Place } from "../place.ts";
import type { RunKind, RunRecord, TreeChange } from "../run-record.ts";
import { type CheckoutReading, readCheckout } from "./read-checkout.ts";
import { connectionLost, prepareSession, runScript } from "./run-script.ts";
import { type Listing, readListing, treeChanges } from "./tree-changes.ts";
import {
  DIVIDER,
  planLastLook,
  planReadAnswers,
  planTurn,
  PRISTINE,
  type Preparation,
  RUN,
  SCRIPT_PATH,
  type TurnRequest,
} from "./turn.ts";

export interface StageRequest {
  readonly claim: Claim;
  /** Of one run. */
  readonly timeoutMs: number;
  /** The program of `templates/controls` that makes JavaScript deaf. */
  readonly adapter: string;
  /** Leaves a clean checkout, set up, at this name below the Session's directory. Rejects when it cannot. */
  readonly checkout: (session: Session, directoryName: string) => Promise<void>;
}

/** A place whose Session is open already. */
export type PlaceOfRuns = Omit<Place, "openSession">;

/** What one run is to be made on. */
export type Run = { kind: Exclude<RunKind, "deaf"> } | { kind: "deaf"; answer: NamedAnswer | null };

const MAX_TURN_BYTES = 256 * 1024 ** 2;

/** A place with a checkout and a Session in it, where runs take place one after the other, all at the same path. */
export class VerificationStage {
  readonly session: Session;
  readonly checkout: CheckoutReading;
  readonly #request: StageRequest;
  readonly #place: PlaceOfRuns;
  readonly #patience: Patience;
  readonly #ids: Ids;
  /** Of the script as the outcome has it: what lies in the place is compared with it before and after every run (V1). */
  readonly #scriptHash: string;
  #pristine: Listing | null = null;
  #before: Listing | null = null;
  #open: { record: RunRecord } | null = null;
  #isScriptOurs = true;
  #answers = "";
  readonly records: RunRecord[] = [];

  private constructor(
    session: Session,
    checkout: CheckoutReading,
    request: StageRequest,
    place: PlaceOfRuns,
    patience: Patience,
    ids: Ids,
  ) {
    this.session = session;
    this.checkout = checkout;
    this.#request = request;
    this.#scriptHash = createHash("sha256").update(request.claim.script).digest("hex");
    this.#place = place;
    this.#patience = patience;
    this.#ids = ids;
  }

  /** Rejects when the checkout cannot be made. The caller destroys the Session. */
  static async set(
    session: Session,
    request: StageRequest,
    place: PlaceOfRuns,
    patience: Patience,
    ids: Ids,
  ): Promise<VerificationStage> {
    await request.checkout(session, PRISTINE);
    await session.run(`cd ${shellDirectory(place.directory)}`, {
      callerTimeoutMs: patience.remainingMs(),
      signal: patience.signal,
    });
    await prepareSession(session, place.workspace, patience);
    const reading = await readCheckout(place.workspace, place.directory, patience);
    return new VerificationStage(session, reading, request, place, patience, ids);
  }

  /** One run more. False: the control cannot be made here, or the Session has ended. */
  async run(run: Run): Promise<boolean> {
    const preparation = await this.#preparation(run);
    if (!(await this.#turn(preparation))) return false;
    const seen = await runScript(
      this.session,
      this.#place.workspace,
      this.#request.timeoutMs,
      this.#patience,
    );
    const record: RunRecord = {
      kind: run.kind,
      answers: run.kind === "deaf" ? labelOf(run.answer) : null,
      order: this.records.length,
      changes: [],
      ...seen,
    };
    this.records.push(record);
    this.#open = { record };
    if (run.kind === "renumbered") await this.#readAnswers();
    return record.end.type !== "interrupted";
  }

  /** What is known of the product from the renumbered run. */
  get heard(): HeardOfProduct {
    return {
      hasInnerValues: /"t":"(?:object|array|thing)"|"key":"program"/.test(this.#answers),
      hasLoaded: /"key":"(?:loaded|program)"/.test(this.#answers),
    };
  }

  /** Notes what the last run has changed. To be called when no run follows. */
  async close(): Promise<void> {
    const parts = await this.#exec(planLastLook(this.#place.directory), "");
    if (parts !== null) this.#note(readListing(parts[0] ?? ""), readListing(parts[1] ?? ""));
  }

  async #turn(preparation: Preparation): Promise<boolean> {
    const turn = planTurn(this.#turnRequest(), preparation);
    const parts = await this.#exec(turn.commandLine, turn.stdin);
    if (parts === null) return false;
    const [left = "", pristine = "", said = "", ready = ""] = parts;
    this.#note(readListing(left), readListing(pristine));
    this.#before = readListing(ready);
    this.#isScriptOurs = this.#isScript(this.#before);
    const isLayered = preparation.kind === "deaf" || preparation.kind === "renumbered";
    return !isLayered || layeredFiles(said) > 0;
  }

  #note(left: Listing, pristine: Listing): void {
    const root = (name: string): string => `${this.#place.directory}/${name}`;
    const meddling = this.#pristine === null ? [] : treeChanges(this.#pristine, pristine, root(PRISTINE));
    this.#pristine = pristine;
    if (this.#open === null || this.#before === null) return;
    const changes: TreeChange[] = [
      ...treeChanges(this.#before, left, root(RUN)).filter(({ path }) => path !== SCRIPT_PATH),
      ...meddling.map(({ path }): TreeChange => ({ path: `../${PRISTINE}/${path}`, type: "modified" })),
    ];
    if (!this.#isScriptOurs || !this.#isScript(left)) changes.push({ path: SCRIPT_PATH, type: "modified" });
    const { record } = this.#open;
    this.records[record.order] = { ...record, changes };
    this.#open = null;
  }

  #isScript(listing: Listing): boolean {
    return listing.get(SCRIPT_PATH) === this.#scriptHash;
  }

  async #preparation(run: Run): Promise<Preparation> {
    switch (run.kind) {
      case "real":
        return { kind: "real", commit: null };
      case "absent":
      case "broken":
        return { kind: run.kind };
      case "renumbered":
        return this.#layered("renumbered", "", null);
      case "deaf":
        return this.#layered("deaf", this.#answers, run.answer);
    }
  }

  #layered(kind: "renumbered" | "deaf", remembered: string, candidate: NamedAnswer | null): Preparation {
    return { kind, token: this.#ids.hex(16), version: this.#version(), remembered, candidate };
  }

  async #readAnswers(): Promise<void> {
    const parts = await this.#exec(planReadAnswers(this.#place.directory), "");
    this.#answers = parts?.[0] ?? "";
  }

  #version(): string {
    return `${Number.parseInt(this.#ids.hex(1), 16) + 300}.0.${Number.parseInt(this.#ids.hex(1), 16)}`;
  }

  #turnRequest(): TurnRequest {
    const { claim, adapter } = this.#request;
    const { product, programs } = this.checkout;
    return { directory: this.#place.directory, script: claim.script, product, programs, adapter };
  }

  async #exec(commandLine: string, stdin: string): Promise<string[] | null> {
    const { signal, remainingMs } = this.#patience;
    const result = await this.#place.workspace.exec(commandLine, {
      timeoutMs: remainingMs(),
      maxOutputBytes: MAX_TURN_BYTES,
      signal,
      stdin: Buffer.from(stdin),
    });
    if (result.type === "transport-lost") throw connectionLost("prepare a run");
    if (result.type !== "exited" || result.exitCode !== 0) return null;
    return Buffer.from(result.stdout).toString().split(DIVIDER);
  }
}

function labelOf(answer: NamedAnswer | null): string | null {
  return answer === null ? null : `${answer.isLeaf ? "each " : ""}${answer.candidate}`;
}

function layeredFiles(said: string): number {
  const found = /"layered":(\d+)/.exec(said)?.[1];
  return found === undefined ? 0 : Number(found);
}

function shellDirectory(directory: string): string {
  return `'${directory.replaceAll("'", String.raw`'\''`)}'`;
}

import type { DetailedSnapshot, Session } from "agent-tty";
import type { Ids } from "agent-tty/kit";
import type { Claim } from "../claim.ts";
import {
  callWithNothing,
  type CallWithNothing,
  heardOfProduct,
  isGivenFunctions,
  isUnlayered,
  type LanguageAdapters,
  type NamedAnswer,
  namedAnswers,
  otherDays,
} from "../controls/index.ts";
import { isMatch, keptOutput } from "../decide/index.ts";
import type { Patience, Place } from "../place.ts";
import type { RunKind, RunRecord, TreeChange } from "../run-record.ts";
import { Desk } from "./desk.ts";
import { deskPaths } from "./desk-paths.ts";
import { planDesks } from "./plan-desks.ts";
import { type CheckoutReading, readCheckout } from "./read-checkout.ts";
import { prepareSession } from "./run-script.ts";
import { lookAround } from "./surroundings.ts";
import { limitOfRun, TimeForRuns } from "./time-for-runs.ts";
import { type Preparation, RUN } from "./turn.ts";

export interface StageRequest {
  readonly claim: Claim;
  /** The time limit of one run, in milliseconds. */
  readonly timeoutMs: number;
  readonly adapters: LanguageAdapters;
  /** Creates a clean checkout, with its set-up, under this name below the Session's directory. Rejects if it cannot. */
  readonly checkout: (session: Session, directoryName: string) => Promise<void>;
  /** Opens another Session in the place, for runs beside those of the first. The caller destroys it. */
  readonly openBeside: (signal: AbortSignal) => Promise<Session>;
  /** Whether the runs depend on chance or time, so that each of them runs alone. */
  readonly isDelicate: boolean;
}

/** A place whose Session is already open. */
export type PlaceOfRuns = Omit<Place, "openSession">;

/**
 * The kind of one run, the day to which a renumbered run's clock is moved and, for a deaf product, its answer. `first`: the answer
 * that is most likely to satisfy the script.
 */
export type Run =
  | { kind: Exclude<RunKind, "deaf">; day?: string }
  | { kind: "deaf"; answer: NamedAnswer | null | "first" };

/** A place with a checkout and at least one desk. All runs see the same path. */
export class VerificationStage {
  readonly checkout: CheckoutReading;
  /** The days to which a renumbered run's clock can be moved, because the script names them or days beside them. */
  readonly otherDays: readonly string[];
  readonly #claim: Claim;
  readonly #desks: readonly Desk[];
  readonly #ids: Ids;
  readonly #nowMs: number;
  readonly #time: TimeForRuns;
  readonly #timeoutMs: number;
  #answers = "";
  #running = 0;
  /** The number of runs started so far, by which a run detects that another run started during it. */
  #started = 0;
  #records: RunRecord[] = [];
  #screen: { snapshot: DetailedSnapshot; isShown: boolean } | null = null;

  private constructor(
    { claim, timeoutMs }: StageRequest,
    checkout: CheckoutReading,
    desks: readonly Desk[],
    time: TimeForRuns,
    ids: Ids,
    nowMs: number,
  ) {
    this.#claim = claim;
    this.#timeoutMs = timeoutMs;
    this.checkout = checkout;
    this.#desks = desks;
    this.#time = time;
    this.#ids = ids;
    this.#nowMs = nowMs;
    this.otherDays = otherDays(claim.script, nowMs);
  }

  /** Prepares the place. Rejects if the checkout cannot be created. The caller destroys the Sessions. */
  static async set(
    session: Session,
    request: StageRequest,
    place: PlaceOfRuns,
    patience: Patience,
    ids: Ids,
  ): Promise<VerificationStage> {
    const { workspace, directory } = place;
    const [surroundings] = await Promise.all([
      lookAround(workspace, directory, patience),
      // The set-up runs at the path of the runs, because it writes absolute paths (virtual environments, CMake, debug information).
      request.checkout(session, RUN),
    ]);
    if (surroundings.missingTools.length > 0) throw new Error(withoutTools(surroundings.missingTools));
    const { openBeside, claim, adapters } = request;
    const count = planDesks(surroundings, request.isDelicate);
    const openOthers = async (): Promise<Session[]> => {
      const opened: Session[] = [];
      // The Sessions are opened one after the other, because they are started with the same file.
      for (let number = 1; number < count; number += 1) opened.push(await openReady(openBeside, patience));
      return opened;
    };
    const [reading, others] = await Promise.all([readCheckout(workspace, directory, patience), openOthers()]);
    const { apart } = surroundings;
    const time = new TimeForRuns(patience);
    const limitMs = (ofRunMs: number): number => Math.min(ofRunMs, time.leftMs);
    const desks = [session, ...others].map(async (own, number): Promise<Desk> => {
      const paths = deskPaths(directory, apart, number);
      await prepareSession(own, workspace, paths, apart, patience);
      const turn = { paths, apart, script: claim.script, adapters, ...reading };
      return new Desk({ session: own, workspace, turn, limitMs, patience, ids });
    });
    return new VerificationStage(
      request,
      reading,
      await Promise.all(desks),
      time,
      ids,
      patience.clock.nowMs(),
    );
  }

  /** The number of runs that may take place at a time. */
  get desks(): number {
    return this.#desks.length;
  }

  get records(): readonly RunRecord[] {
    return this.#records;
  }

  /**
   * The screen of the first desk after the last real run that ran alone and showed the claim; if there is none, after the last
   * real run; null if there was no real run.
   */
  get screen(): DetailedSnapshot | null {
    return this.#screen?.snapshot ?? null;
  }

  /** Makes one more run at a free desk. Returns false if the control cannot be made here, or after `hasEnded`. */
  async run(run: Run, deskNumber = 0): Promise<boolean> {
    // A deaf product would answer as the real one does, which proves nothing about the script.
    if (run.kind === "deaf" && isUnlayered(this.checkout.product.replaced, this.#answers)) return false;
    const desk = this.#desks[deskNumber];
    if (desk === undefined) throw new RangeError(`there is no desk ${deskNumber}`);
    if (!this.#time.isEnough()) return false;
    const others = this.#running;
    this.#running += 1;
    this.#started += 1;
    const started = this.#started;
    try {
      return await this.#runAt(desk, run, () => others > 0 || this.#started > started);
    } finally {
      this.#running -= 1;
    }
  }

  async #runAt(desk: Desk, run: Run, hadCompany: () => boolean): Promise<boolean> {
    const records = this.#records;
    const order = { index: -1 };
    const answer = run.kind === "deaf" ? this.#answerOf(run.answer) : null;
    const noteChanges = (changes: readonly TreeChange[]): void => {
      const record = records[order.index];
      if (record !== undefined) records[order.index] = { ...record, changes };
    };
    const day = run.kind === "deaf" ? undefined : run.day;
    const preparation = this.#preparation(run.kind, answer, day);
    const limitMs = limitOfRun(run.kind, records, this.#timeoutMs);
    const ran = await this.#time.measure(() => desk.run(preparation, limitMs, noteChanges), limitMs);
    if (ran === null) return false;
    const seen = { ...ran, output: keptOutput(this.#claim, ran.output) };
    order.index = records.length;
    const { kind } = run;
    const answers = labelOf(answer);
    const alone = !hadCompany();
    const dated = day === undefined ? {} : { day };
    records.push({ kind, answers, order: order.index, alone, changes: [], ...dated, ...seen });
    if (seen.end.type === "interrupted") return false;
    if (kind === "renumbered" && day === undefined) this.#answers = await this.#heardAt(desk);
    if (kind === "real" && alone && desk === this.#desks[0])
      await this.#notePicture(desk, isMatch(this.#claim, seen));
    return true;
  }

  async #notePicture(desk: Desk, isShown: boolean): Promise<void> {
    if (!isShown && this.#screen?.isShown === true) return;
    this.#screen = { snapshot: await desk.screen(), isShown };
  }

  /**
   * Returns the product's answers in the renumbered run that just took place at a desk. If the script passes functions to the
   * product, one more run records how the product calls them. This run does not count as a control, so a product that behaves
   * differently in it proves nothing.
   */
  async #heardAt(desk: Desk): Promise<string> {
    const heard = await desk.readAnswers();
    if (!isGivenFunctions(heard)) return heard;
    const listening: Preparation = { ...this.#layer(), kind: "renumbered", isListening: true };
    const seen = await desk.run(listening, this.#timeoutMs, () => undefined);
    return seen !== null && isMatch(this.#claim, seen) ? desk.readAnswers() : heard;
  }

  /**
   * Returns the answers that a deaf product tries until one satisfies the script; null means other values of the same shape. They
   * are complete after the renumbered run, which records the product's answers.
   */
  get deafAnswers(): (NamedAnswer | null)[] {
    const { script, expect } = this.#claim;
    const shown = this.#records.find((one) => one.kind === "real" && isMatch(this.#claim, one));
    const heard = heardOfProduct(this.#answers, shown?.output ?? "");
    const [first, ...others] = namedAnswers(script, expect?.outputContains ?? null, heard);
    if (first === undefined) return [null];
    const isLikely = first.isWanted === true || !heard.hasLoaded;
    return isLikely ? [first, null, ...others] : [null, first, ...others];
  }

  /** Returns the call without an argument after which the product threw; null: there is none. */
  get callWithNothing(): CallWithNothing | null {
    return callWithNothing(this.#answers);
  }

  /** Returns the duration in ms of the longest run, with its preparation, if there is no time for another; otherwise null. */
  get outOfTime(): { longestMs: number } | null {
    return this.#time.isOver ? { longestMs: this.#time.longestMs } : null;
  }

  /** Whether no run can follow, because a script has ended the Session of its desk or no time is left. */
  get hasEnded(): boolean {
    return this.#time.isOver || this.#records.some(({ end }) => end.type === "interrupted");
  }

  /** Discards all records. It must be called after `close`. */
  forget(): void {
    this.#records = [];
    this.#screen = null;
  }

  /** Records the last runs' changes. It must be called when no run follows. */
  async close(): Promise<void> {
    await Promise.all(this.#desks.map((desk) => desk.close()));
  }

  #answerOf(answer: NamedAnswer | null | "first"): NamedAnswer | null {
    return answer === "first" ? (this.deafAnswers[0] ?? null) : answer;
  }

  #preparation(kind: RunKind, answer: NamedAnswer | null, day?: string): Preparation {
    switch (kind) {
      case "real":
      case "absent":
      case "broken":
        return { kind };
      case "renumbered":
        return {
          ...this.#layer(),
          kind,
          clockMs: day === undefined ? 0 : Date.parse(`${day}T12:00:00Z`) - this.#nowMs,
        };
      case "deaf":
        return { ...this.#layer(), kind, remembered: this.#answers, candidate: answer };
    }
  }

  #layer(): Omit<Extract<Preparation, { token: string }>, "kind"> {
    const [token, version] = [this.#ids.hex(16), this.#version()];
    return { token, version, remembered: "", candidate: null, isListening: false, clockMs: 0 };
  }

  #version(): string {
    return `${Number.parseInt(this.#ids.hex(1), 16) + 300}.0.${Number.parseInt(this.#ids.hex(1), 16)}`;
  }
}

/** Returns the message about missing tools. A run without them would fail for lack of a tool and appear not to show the bug. */
function withoutTools(names: readonly string[]): string {
  return `${names.join(", ")} of GNU coreutils and findutils ${names.length === 1 ? "is" : "are"} missing where the reproduction would run: install both packages there`;
}

/** Returns the name of an answer in the record of a deaf run; null for other values of the same shape. */
export function labelOf(answer: NamedAnswer | null): string | null {
  if (answer === null) return null;
  const { isLeaf, spread, only, candidate, fields } = answer;
  const which = only === undefined ? "" : `only ${only} `;
  return `${which}${isLeaf ? "each " : ""}${spread === undefined ? "" : `${spread} of `}${candidate}${fields === undefined ? "" : ` with ${fields}`}`;
}

/** Opens a Session and waits until its shell has read its start file. */
async function openReady(
  open: (signal: AbortSignal) => Promise<Session>,
  { signal, remainingMs }: Patience,
): Promise<Session> {
  const session = await open(signal);
  await session.run("true", { callerTimeoutMs: remainingMs(), signal });
  return session;
}

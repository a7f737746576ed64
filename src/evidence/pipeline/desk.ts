import type { DetailedSnapshot, Session } from "agent-tty";
import type { Ids } from "agent-tty/kit";
import { plainText } from "../../github/index.ts";
import type { ReadyWorkspace } from "../../workspaces/index.ts";
import { scriptHash } from "../claim.ts";
import type { Patience } from "../place.ts";
import type { TreeChange } from "../run-record.ts";
import { connectionLost } from "./connection-lost.ts";
import { DeskFailure } from "./desk-failure.ts";
import type { DeskPaths } from "./desk-paths.ts";
import { runScript, type ScriptRun } from "./run-script.ts";
import { type Listing, type Listings, readListings, treeChanges } from "./tree-changes.ts";
import {
  BEGUN_BEFORE,
  DIVIDER,
  LISTING_MAX_BYTES,
  planLastLook,
  planReadAnswers,
  planTurn,
  PRISTINE,
  type Preparation,
  RUN,
  SCRIPT_PATH,
  type TurnRequest,
  WITH_MOVED_CLOCK,
} from "./turn.ts";

export interface DeskRequest {
  readonly session: Session;
  readonly workspace: ReadyWorkspace;
  readonly turn: TurnRequest;
  /** Returns the time limit of a run that starts now and may take `timeoutMs`, in milliseconds. */
  readonly limitMs: (timeoutMs: number) => number;
  readonly patience: Patience;
  readonly ids: Pick<Ids, "hex">;
}

/** A desk and its Session. Runs take place here one after the other, each in a copy of the pristine checkout. */
export class Desk {
  readonly #request: DeskRequest;
  readonly #paths: DeskPaths;
  /** The hash of the outcome's script. The script on the desk is compared with it before and after every run (V1). */
  readonly #scriptHash: string;
  /**
   * The pristine checkout and the files beside the run's checkout before the first run. Clearing the desk does not remove them.
   */
  #first: { pristine: Listing; beside: Listing } | null = null;
  #before: Listing | null = null;
  #noteChanges: ((changes: readonly TreeChange[]) => void) | null = null;
  #isScriptOurs = true;
  #mark: string | null = null;

  constructor(request: DeskRequest) {
    this.#request = request;
    this.#paths = request.turn.paths;
    this.#scriptHash = scriptHash(request.turn.script);
  }

  /**
   * Makes one run. null: the control cannot be made here. Rejects with a `DeskFailure` if its checkout cannot be created. The run's
   * changes are detected when the desk is cleared for the next run or closed; `noteChanges` is called then. The run is stopped after
   * `timeoutMs`.
   */
  async run(
    preparation: Preparation,
    timeoutMs: number,
    noteChanges: (changes: readonly TreeChange[]) => void,
  ): Promise<ScriptRun | null> {
    if (!(await this.#turn(preparation))) return null;
    const { session, workspace, limitMs, patience } = this.#request;
    const isMoved = "clockMs" in preparation && preparation.clockMs !== 0;
    const environment = isMoved ? WITH_MOVED_CLOCK : "";
    const seen = await runScript(
      session,
      workspace,
      { timeoutMs: limitMs(timeoutMs), environment },
      patience,
    );
    this.#noteChanges = noteChanges;
    return seen;
  }

  /** Returns the product's answers in the renumbered run that just took place here. */
  async readAnswers(): Promise<string> {
    const parts = await this.#exec(planReadAnswers(this.#paths), "");
    return parts[0] ?? "";
  }

  /** Returns the screen as the last run left it. */
  screen(): Promise<DetailedSnapshot> {
    return this.#request.session.detailedSnapshot();
  }

  /** Records the last run's changes. It must be called when no run follows. */
  async close(): Promise<void> {
    if (this.#noteChanges === null) return;
    const [left = ""] = await this.#exec(planLastLook(this.#request.turn), "");
    this.#note(readListings(left));
  }

  async #turn(preparation: Preparation): Promise<boolean> {
    const marks = { own: this.#request.ids.hex(16), before: this.#mark };
    this.#mark = marks.own;
    const turn = planTurn(this.#request.turn, preparation, marks);
    const parts = await this.#exec(turn.commandLine, turn.stdin);
    const [left = "", said = "", ready] = parts;
    const { desk, pristine } = readListings(left);
    this.#note({ desk, pristine });
    if (ready === undefined) return false;
    const found = readListings(ready).desk;
    this.#first ??= { pristine, beside: entriesOf(found, "beside") };
    this.#before = new Map([...entriesOf(found, "inside"), ...this.#first.beside]);
    this.#isScriptOurs = this.#isScript(found);
    const isLayered = preparation.kind === "deaf" || preparation.kind === "renumbered";
    return !isLayered || layeredFiles(said) > 0;
  }

  /**
   * Reports the changes of the last run. A file that a run leaves beside its checkout counts as a change of every later run, too,
   * because a run that only listens has no record.
   */
  #note({ desk: left, pristine }: Listings): void {
    if (this.#noteChanges === null || this.#before === null || this.#first === null) return;
    const { place } = this.#paths;
    const changes: TreeChange[] = [
      ...treeChanges(this.#before, left, `${place}/${RUN}`).filter(({ path }) => path !== SCRIPT_PATH),
      ...treeChanges(this.#first.pristine, pristine, `${place}/${PRISTINE}`).map(({ path }): TreeChange => ({
        path: `../${PRISTINE}/${path}`,
        type: "modified",
      })),
    ];
    if (!this.#isScriptOurs || !this.#isScript(left)) changes.push({ path: SCRIPT_PATH, type: "modified" });
    this.#noteChanges(changes);
    this.#noteChanges = null;
  }

  #isScript(listing: Listing): boolean {
    return listing.get(SCRIPT_PATH) === this.#scriptHash;
  }

  /** Runs a command line and returns the parts that it prints. */
  async #exec(commandLine: string, stdin: string): Promise<string[]> {
    const { workspace, patience } = this.#request;
    const { signal, remainingMs } = patience;
    const result = await workspace.exec(commandLine, {
      timeoutMs: remainingMs(),
      maxOutputBytes: LISTING_MAX_BYTES,
      signal,
      stdin: Buffer.from(stdin),
    });
    if (result.type === "transport-lost") throw connectionLost("prepare a run");
    if (result.type !== "exited") throw new DeskFailure(NOT_READ[result.type]);
    if (result.exitCode === BEGUN_BEFORE) throw connectionLost("prepare a run");
    if (result.exitCode !== 0) throw new DeskFailure(unprepared(result.exitCode, result.stderr));
    return Buffer.from(result.stdout).toString().split(DIVIDER);
  }
}

const NOT_READ = {
  "timed-out": "a run's checkout could not be made before the deadline",
  "output-too-large": "a run left more files than the parent compares",
} as const;

const UNPREPARED: Readonly<Record<number, string>> = {
  90: "its folder is gone",
  91: "the files of the run before could not be removed",
  92: "the checkout could not be copied",
  93: "its files could not be written",
};

function unprepared(exitCode: number, stderr: string): string {
  const cause = UNPREPARED[exitCode] ?? `exit code ${exitCode}`;
  const said = plainText(stderr).trim().split("\n").at(-1)?.slice(0, 200) ?? "";
  return `a run could not be prepared: ${cause}${said === "" ? "" : ` (${said})`}`;
}

/** Returns the entries inside the run's checkout, or those beside it. */
function entriesOf(listing: Listing, where: "inside" | "beside"): Listing {
  return new Map([...listing].filter(([path]) => path.startsWith("../") === (where === "beside")));
}

function layeredFiles(said: string): number {
  return [...said.matchAll(/"layered": ?(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
}

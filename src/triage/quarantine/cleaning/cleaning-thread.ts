import { Worker } from "node:worker_threads";
import { OperationalError } from "agent-tty/kit";
import type { CanaryHit } from "../secret-search.ts";
import type { ParentSecret } from "../parent-secrets.ts";
import type { CleaningAnswer, CleaningOrder } from "./messages.ts";
import type { CleaningWork } from "./session-files.ts";

/** In megabytes. A window and everything decoded from it fit many times. */
const MAX_HEAP_MEGABYTES = 512;

/** A thread that does one piece of work at a time. It keeps the process alive only while it works. */
export class CleaningThread {
  readonly #worker: Worker;
  /** How many of the parent's secrets have been sent to the thread. */
  #told = 0;
  #inHand: PromiseWithResolvers | null = null;
  #isDead = false;

  /** `program` is the bundled `cleaning-program.ts`. */
  constructor(program: URL) {
    this.#worker = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES },
      // The thread gets the parent's secrets only in orders, so it needs no environment.
      env: {},
      execArgv: [],
    });
    this.#worker.unref();
    this.#worker.on("message", (answer: CleaningAnswer) => this.#settle(answer));
    this.#worker.on("error", (error) => this.#die(error));
    this.#worker.on("exit", (code) => this.#die(new Error(`it ended with exit code ${code}`)));
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get isIdle(): boolean {
    return this.#inHand === null;
  }

  /**
   * Runs the work in the thread. Rejects with CLEANING_FAILED when the thread dies, with the signal's reason, or with an error of
   * the file system.
   */
  async work(
    directory: string,
    work: CleaningWork,
    secrets: readonly ParentSecret[],
    signal: AbortSignal | undefined,
  ): Promise<CanaryHit | null> {
    const cancel = (): void => this.#order({ type: "cancel" });
    this.#worker.ref();
    try {
      const answer = new Promise<CleaningAnswer>((resolve, reject) => {
        this.#inHand = { resolve, reject };
      });
      this.#order({ type: "work", directory, work, secrets: secrets.slice(this.#told) });
      this.#told = secrets.length;
      signal?.addEventListener("abort", cancel, { once: true });
      return hitOf(await answer, signal);
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#worker.unref();
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #order(order: CleaningOrder): void {
    this.#worker.postMessage(order, []);
  }

  #settle(answer: CleaningAnswer): void {
    this.#inHand?.resolve(answer);
    this.#inHand = null;
  }

  #die(cause: Error): void {
    this.#isDead = true;
    this.#inHand?.reject(cleaningFailed(cause));
    this.#inHand = null;
  }
}

interface PromiseWithResolvers {
  resolve: (answer: CleaningAnswer) => void;
  reject: (error: Error) => void;
}

function hitOf(answer: CleaningAnswer, signal: AbortSignal | undefined): CanaryHit | null {
  if (answer.type === "done") return answer.hit;
  if (answer.type === "cancelled") throw signal?.reason as Error;
  throw Object.assign(new Error(answer.message), answer.code === null ? {} : { code: answer.code });
}

function cleaningFailed(cause: Error): OperationalError<"CLEANING_FAILED"> {
  return new OperationalError({
    code: "CLEANING_FAILED",
    message: `search the output of a Session for secrets: the cleaning thread died: ${cause.message}. Nothing that depends on it is published`,
    remedy:
      "Check the memory of the machine that runs the batch, then run it again: the issue continues from its checkpoint.",
    cause,
  });
}

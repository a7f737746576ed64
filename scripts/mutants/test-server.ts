import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";

export interface TestRequest {
  /** The absolute paths of the files that have changed since the last request. */
  changed: readonly string[];
  /** Files and folders of tests. */
  tests: readonly string[];
}

export type TestEnd =
  | { type: "passed" }
  /** `by`: the first test that failed, or the reason why the run stopped. */
  | { type: "failed"; by: string }
  /** vitest lost its worker, which may be a fault of vitest and says nothing about the tests. */
  | { type: "crashed"; by: string }
  | { type: "timed-out" };

const SERVER = join(import.meta.dirname, "serve-tests.ts");

/** Runs test files of a tree, one worker at a time, until the first failure of each run. */
export class TestServer implements AsyncDisposable {
  readonly #directory: string;
  readonly #limitMs: number;
  #child: ChildProcess | null = null;

  /** `limitMs`: the time limit of one run; after it the server and all its child processes are killed. */
  constructor(directory: string, limitMs: number) {
    this.#directory = directory;
    this.#limitMs = limitMs;
  }

  /**
   * Runs tests. A run whose worker crashed is repeated once in a new process, because a mutant that crashes its worker does so
   * again. Rejects when the child process exits unexpectedly, or when the signal fires.
   */
  async run(request: TestRequest, signal: AbortSignal): Promise<TestEnd> {
    const end = await this.#runOnce(request, signal);
    return end.type === "crashed" ? this.#runOnce(request, signal) : end;
  }

  async #runOnce(request: TestRequest, signal: AbortSignal): Promise<TestEnd> {
    signal.throwIfAborted();
    const child = (this.#child ??= await this.#start());
    const end = await new Promise<TestEnd>((resolve, reject) => {
      const timer = setTimeout(() => resolve({ type: "timed-out" }), this.#limitMs);
      const onAbort = (): void => reject(signal.reason as Error);
      const onExit = (): void => reject(new Error("the process that runs the tests has ended"));
      const onMessage = (message: unknown): void => resolve(message as TestEnd);
      signal.addEventListener("abort", onAbort);
      child.once("exit", onExit);
      child.once("message", onMessage);
      child.send({ ...request });
      this.#release = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        child.off("exit", onExit);
        child.off("message", onMessage);
      };
    }).finally(() => this.#release());
    if (end.type === "timed-out" || end.type === "crashed") await this.stop();
    return end;
  }

  #release: () => void = () => undefined;

  async #start(): Promise<ChildProcess> {
    const child = fork(SERVER, {
      cwd: this.#directory,
      execArgv: ["--import", "tsx"],
      detached: true,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    await new Promise<void>((resolve, reject) => {
      child.once("message", () => resolve());
      child.once("exit", () => reject(new Error("the process that runs the tests could not start")));
    });
    return child;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child?.pid === undefined) return;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    process.kill(-child.pid, "SIGKILL");
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

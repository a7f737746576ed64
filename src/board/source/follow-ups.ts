import type { Clock } from "agent-tty/kit";
import {
  type BoardRunKey,
  boardRunId,
  type ControlResultDocument,
  type FollowUpCommand,
  type FollowUpDocument,
} from "../api/index.ts";

/**
 * Starts this same program with the given arguments in its own process group, and calls `onLine` for each line that it prints.
 * `ended` never rejects: it resolves to the exit code, or to null after a signal or when the program could not be started.
 */
export type StartProgram = (
  args: readonly string[],
  onLine: (line: string) => void,
) => { ended: Promise<number | null>; stop: () => void };

interface FollowUp {
  runId: string;
  issue: string;
  command: FollowUpCommand;
  startedAtMs: number;
  end: FollowUpDocument["end"];
  lines: string[];
  stop: () => void;
  ended: Promise<void>;
}

const MAX_RUNNING = 4;
const MAX_KEPT = 100;
const MAX_LINES = 40;
const MAX_LINE_CHARACTERS = 500;

/**
 * The commands that people started from the board. They are ordinary commands: the issue's lock keeps two of them from working on
 * the same issue, and they record their Triage Runs as usual. Only their output is kept here, in memory. Disposing asks them to
 * stop.
 */
export class FollowUps implements AsyncDisposable {
  readonly #start: StartProgram;
  readonly #clock: Clock;
  /** The newest first. */
  #all: FollowUp[] = [];

  constructor({ start, clock }: { start: StartProgram; clock: Clock }) {
    this.#start = start;
    this.#clock = clock;
  }

  /** Starts a command for the run's issue; `refused` while another command for the issue is running, or too many commands are. */
  begin(
    key: BoardRunKey,
    command: FollowUpCommand,
    { home, provider }: { home: string; provider: string | null },
  ): ControlResultDocument {
    const issue = `${key.repo}#${key.number}`;
    const running = this.#all.filter(({ end }) => end === null);
    if (running.some((one) => one.issue === issue))
      return {
        type: "refused",
        reason: `A command for ${issue} is still running.`,
        remedy: "Wait until it has ended, or stop its Triage Run.",
      };
    if (running.length >= MAX_RUNNING)
      return {
        type: "refused",
        reason: `${MAX_RUNNING} commands that were started from this board are still running.`,
        remedy: "Wait until one of them has ended.",
      };
    const args = [
      ...(command === "verify" ? ["verify", String(key.number)] : ["run", "--issue", String(key.number)]),
      "--repo",
      key.repo,
      "--home",
      home,
      ...(provider === null ? [] : ["--provider", provider]),
    ];
    const lines: string[] = [];
    const { ended, stop } = this.#start(args, (line) => {
      lines.push(line.slice(0, MAX_LINE_CHARACTERS));
      if (lines.length > MAX_LINES) lines.shift();
    });
    const followUp: FollowUp = {
      runId: boardRunId(key),
      issue,
      command,
      startedAtMs: this.#clock.nowMs(),
      end: null,
      lines,
      stop,
      ended: ended.then((exitCode) => {
        followUp.end = { atMs: this.#clock.nowMs(), exitCode };
      }),
    };
    this.#all = [followUp, ...this.#all].filter(({ end }, index) => end === null || index < MAX_KEPT);
    return { type: "started" };
  }

  /** Returns the commands that were started from this run, the newest first. */
  of(key: BoardRunKey): FollowUpDocument[] {
    const id = boardRunId(key);
    return this.#all
      .filter(({ runId }) => runId === id)
      .map(({ command, startedAtMs, end, lines }) => ({ command, startedAtMs, end, lines: [...lines] }));
  }

  /** Asks every running command to stop, and waits until all have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { end, stop } of this.#all) if (end === null) stop();
    await Promise.all(this.#all.map(({ ended }) => ended));
  }
}

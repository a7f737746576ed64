import { messageOf, OperationalError, storageRefusal, systemClock } from "../kit/index.ts";
import { inert, inertJson } from "./inert.ts";
import { type CommandErrorCode, policyOf } from "./exit-codes.ts";
import { wrapped } from "./wrapped.ts";

/** The result of a command: the JSON document, and the same as text for people. */
export interface CommandResult {
  result: unknown;
  text: string;
  /** The exit code of the command; default 0. */
  exitCode?: number;
  /** Messages to a person beside the text, written to stderr. The JSON document contains the same facts by itself. */
  warnings?: readonly string[];
  /** A phrase about what the command made and what still exists; it is shown if the output is lost. */
  made?: string;
}

/** Called when a command ends: with the result to report, or with null if it has written its own output. */
export type Finish = (command: string, result: CommandResult | null) => void;

/**
 * Handles a stdout or stderr that can no longer be written. If the reader has closed the pipe (EPIPE), the process exits without
 * a stack trace. The first other error of stdout calls `onLost`. `settle` resolves when all of stdout is written, with that
 * error, or with null if there was none.
 */
export function tolerateLostOutput(onLost: () => void): { settle(): Promise<Error | null> } {
  let lost: Error | null = null;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
      if (stream !== process.stdout || lost !== null) return;
      lost = error;
      onLost();
    });
  }
  return {
    settle: async () => {
      // A stream tells of a failed write a few ticks later.
      await new Promise<void>((resolve) => process.stdout.write("", () => setImmediate(resolve)));
      return lost;
    },
  };
}

/** Reports on stderr that the output of a command was lost, and what the command made. Returns the exit code. */
export function reportLostOutput(command: string, cause: Error, made: string | undefined): number {
  const left = made === undefined ? "" : `; ${made}`;
  const message = `cannot write the output to stdout: ${cause.message}${left}`;
  printError(command, { message, remedy: "Write it where there is room" });
  return policyOf("OUTPUT_LOST" satisfies CommandErrorCode).exitCode;
}

/** Writes a result to stdout: as one JSON document, or as its text unless that is empty. */
export function reportResult(
  command: string,
  { result, text, warnings = [] }: CommandResult,
  isJson: boolean,
): void {
  if (isJson) return printLine({ ok: true, command, timestamp: now(), result });
  if (text !== "") process.stdout.write(`${text}\n`);
  reportWarnings(command, warnings);
}

/** Writes each warning to stderr. */
export function reportWarnings(command: string, warnings: readonly string[]): void {
  for (const warning of warnings) printProse(`agent-tty ${inert(command)}: ${inert(warning)}`);
}

/** Reports an error on stdout as one JSON document, or on stderr as text. Returns the exit code. */
export function reportError(command: string, thrown: unknown, isJson: boolean): number {
  const error = errorDocument(thrown);
  if (isJson) printLine({ ok: false, command, timestamp: now(), error });
  else printError(command, error);
  return policyOf(error.code).exitCode;
}

/** Writes an error to stderr as two sentences, on one line unless stderr is a terminal. */
function printError(command: string, { message, remedy }: Pick<ErrorDocument, "message" | "remedy">): void {
  const program = command === "" ? "agent-tty" : `agent-tty ${inert(command)}`;
  printProse(`${program}: ${inert(message)}. ${inert(remedy.slice(0, 1).toUpperCase() + remedy.slice(1))}`);
}

function printProse(text: string): void {
  process.stderr.write(`${wrapped(text, process.stderr)}\n`);
}

/** An error as it appears in the JSON envelope and in the steps of a batch. */
export interface ErrorDocument {
  code: string;
  message: string;
  retryable: boolean;
  details: Readonly<Record<string, unknown>>;
  remedy: string;
}

/** Returns the document of any thrown value. A value that is not an expected error gets the code INTERNAL. */
export function errorDocument(thrown: unknown): ErrorDocument {
  const { code, message, remedy, details } = describe(thrown);
  return { code, message, retryable: policyOf(code).retryable, details, remedy };
}

function describe(thrown: unknown): {
  code: string;
  message: string;
  remedy: string;
  details: Readonly<Record<string, unknown>>;
} {
  const known = thrown instanceof OperationalError ? thrown : storageRefusal(thrown);
  if (known !== null) return known;
  const remedy = "This is a defect of agent-tty: please report it with the command you ran.";
  return { code: "INTERNAL", message: messageOf(thrown), remedy, details: {} };
}

function printLine(envelope: unknown): void {
  process.stdout.write(`${inertJson(envelope)}\n`);
}

function now(): string {
  return new Date(systemClock.nowMs()).toISOString();
}

import { messageOf, OperationalError, storageRefusal, systemClock } from "../kit/index.ts";
import { inert, inertJson } from "./inert.ts";
import { policyOf } from "./exit-codes.ts";

/** The result of a command: the JSON document, and the same for people. */
export interface CommandResult {
  result: unknown;
  text: string;
  /** The exit code of the command; default 0. */
  exitCode?: number;
}

/** How a command ends: with a result to report, or having written its own output. */
export type Finish = (command: string, result: CommandResult | null) => void;

/** A reader that went away ends the output, not with a stack trace. */
export function tolerateClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit(process.exitCode ?? 0);
    });
  }
}

/** Writes a result to stdout: as one JSON document, or as its text unless that is empty. */
export function reportResult(command: string, { result, text }: CommandResult, isJson: boolean): void {
  if (isJson) printLine({ ok: true, command, timestamp: now(), result });
  else if (text !== "") process.stdout.write(`${text}\n`);
}

/** Prints the error and gives the exit code. */
export function reportError(command: string, thrown: unknown, isJson: boolean): number {
  const { code, message, remedy, details } = describe(thrown);
  const { exitCode, retryable } = policyOf(code);
  if (isJson) {
    const error = { code, message, retryable, details, remedy };
    printLine({ ok: false, command, timestamp: now(), error });
  } else {
    process.stderr.write(`agent-tty ${inert(command)}: ${inert(message)}. ${inert(remedy)}\n`);
  }
  return exitCode;
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

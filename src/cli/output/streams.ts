import { inertJson } from "../../github/index.ts";
import { wrapWords } from "../../layout/index.ts";
import { createPaint, type Paint, usesColour } from "./paint.ts";

/**
 * The output of a command. On a terminal, stdout carries the answer for people and no document. If it is not a terminal, or with
 * `--json`, it carries the one JSON document (or the records). Everything else goes to stderr.
 */
export interface Output {
  /** Writes the one JSON document. */
  document(value: unknown): void;
  /**
   * Writes one JSON line of a command that reports progress, or `text` on a terminal. Resolves once it is written; false if the
   * reader has closed the pipe.
   */
  record(value: unknown, text: string): Promise<boolean>;
  /** Writes a text that is the command's only product, for a shell to read. It is the same on a terminal and in a pipe. */
  text(text: string): void;
  /** Prints the answer for people; with `--json` it prints nothing. */
  answer(lines: readonly string[]): void;
  /** Prints progress, warnings and remedies: text, wrapped between words on a terminal, or one line of JSON with `--json`. */
  line(text: string): void;
  /** Writes one JSON line on stderr. */
  event(value: unknown): void;
  /** Whether progress may be redrawn: stderr is a terminal that reports its size and can move the cursor. */
  readonly isRedrawable: boolean;
  /** The width of the progress display, in columns. */
  readonly columns: number;
  /** The width of the answer, in columns; infinite if it does not go to a terminal, because a log viewer wraps lines itself. */
  readonly answerColumns: number;
  /** Returns the text in the colour of its tone if colours are wanted. */
  readonly paint: Paint;
}

type Stream = Pick<NodeJS.WriteStream, "write" | "isTTY" | "columns">;

export interface OutputStreams {
  stdout: Stream;
  stderr: Stream;
  env: NodeJS.ProcessEnv;
}

const DEFAULT_COLUMNS = 100;

/**
 * Returns the output of one command. Documents go to stdout, events to stderr; with `asJson` a terminal gets JSON, too.
 */
export function processOutput(
  { asJson }: { asJson: boolean },
  { stdout, stderr, env }: OutputStreams = process,
): Output {
  const isForPeople = !asJson && stdout.isTTY;
  const answered = isForPeople ? stdout : stderr;
  const event = (value: unknown): void => void stderr.write(`${inertJson(value)}\n`);
  return {
    document: (value) => {
      if (!isForPeople) stdout.write(`${inertJson(value, 2)}\n`);
    },
    text: (text) =>
      void stdout.write(asJson ? `${inertJson({ schema: "afk-triage/text@1", text }, 2)}\n` : text),
    record: (value, text) =>
      new Promise((resolve) => {
        stdout.write(`${isForPeople ? text : inertJson(value)}\n`, (error) =>
          resolve(error === null || error === undefined),
        );
      }),
    answer: (lines) => {
      if (!asJson) answered.write(lines.map((line) => `${line}\n`).join(""));
    },
    line: (text) => {
      if (asJson) event({ type: "notice", message: text });
      else stderr.write(`${stderr.isTTY ? wrapWords(text, columnsOf(stderr)) : text}\n`);
    },
    event,
    isRedrawable: stderr.isTTY && stderr.columns !== 0 && env["TERM"] !== "dumb",
    columns: columnsOf(stderr),
    answerColumns: answered.isTTY ? columnsOf(answered) : Number.POSITIVE_INFINITY,
    paint: createPaint(usesColour(env, answered.isTTY)),
  };
}

/** Returns prose of an answer in lines that are broken between words on a terminal. */
export function proseLines(text: string, { answerColumns }: Pick<Output, "answerColumns">): string[] {
  return wrapWords(text, answerColumns).split("\n");
}

/** Returns the width of a terminal. A terminal without a known size, such as the one that `script` creates in a job, reports 0. */
function columnsOf({ columns }: Stream): number {
  return columns || DEFAULT_COLUMNS;
}

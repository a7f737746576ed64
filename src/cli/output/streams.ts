import { inertJson } from "../../github/index.ts";
import { createPaint, type Paint, usesColour } from "./paint.ts";

/**
 * Where a command's words go. stdout carries the one JSON document (or the records) when it is not a terminal, or with
 * `--json`; on a terminal it carries the answer for people instead, and no document. Everything else goes to stderr.
 */
export interface Output {
  /** The one JSON document. */
  document(value: unknown): void;
  /**
   * One JSON line of a command that tells as it goes, `text` for people on a terminal; resolves once it is written, false when
   * nobody reads any more.
   */
  record(value: unknown, text: string): Promise<boolean>;
  /** A text that is the command's whole product, for a shell to read: the same on a terminal and in a pipe. */
  text(text: string): void;
  /** Prints the document for people; with `--json` it prints nothing. */
  answer(lines: readonly string[]): void;
  /** Progress, warnings and remedies: a line of text, or with `--json` one of JSON. */
  line(text: string): void;
  /** One JSON line on stderr. */
  event(value: unknown): void;
  /** Whether progress may be redrawn: stderr is a terminal that knows its size and how to move the cursor. */
  readonly isRedrawable: boolean;
  /** Width of progress. */
  readonly columns: number;
  /** Width of the answer; infinite where it goes to no terminal: a log wraps its lines itself. */
  readonly answerColumns: number;
  /** Colours the answer, where it is shown in colour. */
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
 * The output of one command. Documents go to stdout, events to stderr; `asJson` writes JSON to a terminal as well.
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
    line: (text) => (asJson ? event({ type: "notice", message: text }) : void stderr.write(`${text}\n`)),
    event,
    isRedrawable: stderr.isTTY && stderr.columns !== 0 && env["TERM"] !== "dumb",
    columns: columnsOf(stderr),
    answerColumns: answered.isTTY ? columnsOf(answered) : Number.POSITIVE_INFINITY,
    paint: createPaint(usesColour(env, answered.isTTY)),
  };
}

/** A terminal that was told no size, as `script` makes one in a job, says 0. */
function columnsOf({ columns }: Stream): number {
  return columns || DEFAULT_COLUMNS;
}

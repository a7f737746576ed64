/**
 * stdout carries one JSON document and nothing else; people read stderr. A reader that goes away (EPIPE) ends the
 * output, not the work.
 */
export interface Output {
  /** The one JSON document. */
  document(value: unknown): void;
  /** One line for people, on stderr. */
  line(text: string): void;
  /** Whether people see what goes to stdout. */
  readonly isDocumentShown: boolean;
  readonly isTerminal: boolean;
  readonly columns: number;
}

export function processOutput(): Output {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
  return {
    document: (value) => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`),
    line: (text) => void process.stderr.write(`${text}\n`),
    isDocumentShown: process.stdout.isTTY,
    isTerminal: process.stderr.isTTY,
    columns: process.stderr.columns ?? 100,
  };
}

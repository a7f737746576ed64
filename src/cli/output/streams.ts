import { shownText } from "../../github/index.ts";
import { inertJson } from "./inert-json.ts";

/**
 * stdout carries one JSON document, or one JSON line a record, and nothing else; people read stderr.
 */
export interface Output {
  /** The one JSON document. */
  document(value: unknown): void;
  /** One JSON line of a command that tells as it goes; resolves once it is written, false when nobody reads any more. */
  record(value: unknown): Promise<boolean>;
  /** One line for people, on stderr: made inert here, whatever a store or an issue put into it (S10, S23). */
  line(text: string): void;
  /** What a command says beside its progress, on stderr: a line for people, or with `--json` a JSON one. */
  notice(message: string): void;
  /** Whether people see what goes to stdout. */
  readonly isDocumentShown: boolean;
  readonly isTerminal: boolean;
  readonly columns: number;
}

export function processOutput({ asJson }: { asJson: boolean }): Output {
  const line = (text: string): void => void process.stderr.write(`${shownText(text)}\n`);
  return {
    document: (value) => void process.stdout.write(`${inertJson(value, 2)}\n`),
    record: (value) =>
      new Promise((resolve) => {
        process.stdout.write(`${inertJson(value)}\n`, (error) =>
          resolve(error === null || error === undefined),
        );
      }),
    line,
    notice: (message) => line(asJson ? inertJson({ type: "notice", message }) : message),
    isDocumentShown: process.stdout.isTTY,
    isTerminal: process.stderr.isTTY,
    columns: process.stderr.columns ?? 100,
  };
}

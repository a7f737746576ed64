import { inertJson } from "./inert-json.ts";

/**
 * stdout carries one JSON document and nothing else; people read stderr.
 */
export interface Output {
  /** The one JSON document. */
  document(value: unknown): void;
  /** One line for people, on stderr. */
  line(text: string): void;
  /** What a command says beside its progress, on stderr: a line for people, or with `--json` a JSON one. */
  notice(message: string): void;
  /** Whether people see what goes to stdout. */
  readonly isDocumentShown: boolean;
  readonly isTerminal: boolean;
  readonly columns: number;
}

export function processOutput({ asJson }: { asJson: boolean }): Output {
  const line = (text: string): void => void process.stderr.write(`${text}\n`);
  return {
    document: (value) => void process.stdout.write(`${inertJson(value, 2)}\n`),
    line,
    notice: (message) => line(asJson ? inertJson({ type: "notice", message }) : message),
    isDocumentShown: process.stdout.isTTY,
    isTerminal: process.stderr.isTTY,
    columns: process.stderr.columns ?? 100,
  };
}

import type { Output } from "../../../src/cli/output/index.ts";

/** What a command says, kept. */
export interface RecordedOutput extends Output {
  readonly lines: string[];
  readonly documents: unknown[];
}

export function recordedOutput(): RecordedOutput {
  const lines: string[] = [];
  const documents: unknown[] = [];
  return {
    lines,
    documents,
    document: (value) => void documents.push(value),
    record: () => Promise.resolve(true),
    line: (text) => void lines.push(text),
    notice: (message) => void lines.push(message),
    isDocumentShown: false,
    isTerminal: false,
    columns: 100,
  };
}

import type { Output } from "../../../src/cli/output/index.ts";

/** Keeps the output of a command. */
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
    answer: (answered) => void lines.push(...answered),
    text: (text) => void lines.push(text),
    event: (value) => void lines.push(JSON.stringify(value)),
    isRedrawable: false,
    columns: 100,
    answerColumns: Number.POSITIVE_INFINITY,
    paint: (_tone, text) => text,
  };
}

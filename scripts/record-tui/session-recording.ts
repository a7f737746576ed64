import { readEvents } from "agent-tty";
import type { Meanings } from "./perform.ts";

/** The fields of a recording's header other than its type. */
export interface RecordingHeader {
  recording: string;
  tool: string;
  version: string;
  cols: number;
  rows: number;
  scenario: string;
  in_shell: boolean;
}

/**
 * Converts the Event Log of a Session to the lines of a recording: a header, then the data exchanged between the TUI and its
 * terminal.
 */
export async function sessionRecording(
  directory: string,
  header: RecordingHeader,
  meanings: Meanings,
  endMs: number,
): Promise<object[]> {
  const lines: object[] = [{ type: "header", format: 1, ...header, term: "xterm-256color" }];
  for await (const { record, bytes } of readEvents(directory)) {
    const at = { t_ms: record.t };
    switch (record.type) {
      case "output":
        lines.push({ ...at, type: "output", b64: bytes.toString("base64") });
        break;
      case "input": {
        const b64 = Buffer.from(record.data).toString("base64");
        const sem = meanings.get(record.seq);
        if (record.source === "terminal-reply") lines.push({ ...at, type: "reply", b64 });
        else lines.push({ ...at, type: "input", b64, ...(sem === undefined ? {} : { sem }) });
        break;
      }
      case "resize":
        lines.push({ ...at, type: "resize", cols: record.cols, rows: record.rows });
        break;
      case "exit":
        lines.push({ ...at, type: "exit", exit: record.exit });
        break;
      default:
    }
  }
  lines.push({ t_ms: endMs, type: "end" });
  return lines;
}

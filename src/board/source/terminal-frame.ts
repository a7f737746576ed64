import type { LoggedEvent, Painting } from "agent-tty";
import type { TerminalFrame } from "../api/index.ts";

/** Returns the frame of a logged event; null: the event shows nothing. */
export function frameOf({ record, bytes }: LoggedEvent): TerminalFrame | null {
  const { seq, t } = record;
  switch (record.type) {
    case "started":
      return { type: "reset", seq, t, cols: record.cols, rows: record.rows, paint: "" };
    case "gap":
      return { type: "mark", seq, t, label: "output dropped" };
    case "restarted":
      return { type: "mark", seq, t, label: "restarted" };
    case "output":
      return bytes.byteLength === 0 ? null : { type: "output", seq, t, data: bytes.toString("base64") };
    case "input":
      return { type: "input", seq, t, source: record.source, length: record.data.length };
    case "resize":
      return { type: "resize", seq, t, cols: record.cols, rows: record.rows };
    case "signal":
      return { type: "mark", seq, t, label: record.signal };
    case "mark":
      return { type: "mark", seq, t, label: record.label };
    case "exit":
      return { type: "exit", seq, t, exitCode: record.exit.type === "code" ? record.exit.code : null };
    case "run-started":
    case "run-completed":
    case "status":
      return null;
    default:
      return record satisfies never;
  }
}

/**
 * Returns a frame that replaces the terminal's whole content. `seq` and `t` (milliseconds) are those of the painted screen.
 */
export function resetTo({ seq, tMs, cols, rows, paint }: Painting): TerminalFrame {
  return { type: "reset", seq, t: tMs, cols, rows, paint: Buffer.from(paint).toString("base64") };
}

import { type EventRecord, MAX_OUTPUT_RECORD_BYTES, recordSchema } from "./event-record.ts";

/** An output record as the writer formats it: nearly every line of a long log. */
const OUTPUT_LINE =
  /^\{"seq":(\d{1,15}),"t":(\d{1,15}(?:\.\d{1,6})?),"type":"output","offset":(\d{1,15}),"length":(\d{1,6})\}$/;

/** Returns the record, or why the line is not a record. */
export function parseRecord(line: string): EventRecord | string {
  return parseOutputRecord(line) ?? parseAnyRecord(line);
}

function parseOutputRecord(line: string): EventRecord | null {
  const [, seq, t, offset, length] = OUTPUT_LINE.exec(line) ?? [];
  if (length === undefined) return null;
  const record = {
    seq: Number(seq),
    t: Number(t),
    type: "output" as const,
    offset: Number(offset),
    length: Number(length),
  };
  return record.seq > 0 && record.length > 0 && record.length <= MAX_OUTPUT_RECORD_BYTES ? record : null;
}

function parseAnyRecord(line: string): EventRecord | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return "not JSON";
  }
  const parsed = recordSchema.safeParse(value);
  return parsed.success ? parsed.data : parsed.error.issues.map((issue) => issue.message).join("; ");
}

import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { z } from "zod";

// The format of X.rec.jsonl.gz: a header, then the data exchanged between a TUI and its terminal, in order of time.

const headerSchema = z.looseObject({
  type: z.literal("header"),
  recording: z.string(),
  tool: z.string(),
  version: z.string().nullish(),
  cols: z.int().positive(),
  rows: z.int().positive(),
  scenario: z.string().default(""),
});

const bytes = z.base64().transform((text) => Buffer.from(text, "base64"));
const at = { t_ms: z.number() };
const eventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("output"), ...at, b64: bytes }),
  /** `sem` is the meaning of the input: draft, submit, interrupt, … */
  z.object({ type: z.literal("input"), ...at, b64: bytes, sem: z.string().nullish() }),
  z.object({ type: z.literal("resize"), ...at, cols: z.int().positive(), rows: z.int().positive() }),
]);
const otherSchema = z.looseObject({ type: z.string(), t_ms: z.number().optional() });

export type RecordingEvent = z.infer<typeof eventSchema>;
export interface Recording {
  header: z.infer<typeof headerSchema>;
  /** The events that a terminal or a tracker gets; the others (replies, marks) are omitted. */
  events: readonly RecordingEvent[];
  /** The time of the last line, whatever it contains. */
  durationMs: number;
}

/** Rejects with a ZodError or SyntaxError if the file does not have this format. */
export async function readRecording(path: string): Promise<Recording> {
  const packed = await readFile(path);
  return parseRecording((path.endsWith(".gz") ? gunzipSync(packed) : packed).toString("utf8"));
}

export function parseRecording(text: string): Recording {
  const [first = "{}", ...rest] = text.split("\n").filter((line) => line !== "");
  const known = new Set(eventSchema.options.map(({ shape }) => shape.type.value as string));
  const lines = rest.map((line) => otherSchema.parse(JSON.parse(line)));
  return {
    header: headerSchema.parse(JSON.parse(first)),
    events: lines.filter(({ type }) => known.has(type)).map((line) => eventSchema.parse(line)),
    durationMs: Math.max(0, ...lines.slice(-1).map((line) => line.t_ms ?? 0)),
  };
}

import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { plainText, inertJson } from "../../github/index.ts";

/** Returns the path of one Triage Batch's log. */
export function logPath(runsDirectory: string, runId: string): string {
  return join(runsDirectory, runId, "log.jsonl");
}

/** Yields the log lines of one issue (`owner/repo#n`), the oldest first. Yields none when the log does not exist. */
export async function* logLinesOfIssue(path: string, issue: string): AsyncGenerator<object> {
  const input = createReadStream(path, "utf8");
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const line = parseLine(text);
      if (line?.issue === issue) yield line;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Returns a log line for people: time, level, event, then its other fields. */
export function describeLogLine(line: object): string {
  const { time, level, event, trace_id: _trace, span_id: _span, ...fields } = line as Record<string, unknown>;
  const told = Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : inertJson(value)}`);
  return plainText([time, String(level).padEnd(5), event, ...told].join("  ")).replaceAll(/\s*\n\s*/g, " ");
}

/** Returns the log line, or null if it is not a JSON object. The last line of a killed parent may be cut off. */
function parseLine(text: string): { issue?: unknown } | null {
  try {
    const line = JSON.parse(text) as unknown;
    return typeof line === "object" ? line : null;
  } catch {
    return null;
  }
}

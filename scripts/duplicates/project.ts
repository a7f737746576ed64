import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { z } from "zod";

const doc = z.object({ id: z.string(), title: z.string(), body: z.string().nullable(), created: z.string() });
const query = z.object({ id: z.string(), duplicatesOf: z.array(z.string()), weight: z.number().optional() });

/** One tracker: its issues in order of arrival, and which of them were marked as duplicates of which. */
export interface TrackerData {
  docs: z.infer<typeof doc>[];
  queries: z.infer<typeof query>[];
}

/** Returns whether a folder is itself a tracker, rather than a folder of trackers. */
export function isTracker(folder: string): boolean {
  return ["docs.jsonl", "docs.jsonl.gz"].some((name) => existsSync(join(folder, name)));
}

/** Reads `docs.jsonl` and `queries.jsonl`, plain or gzipped. Throws if a line does not have this format. */
export function readTracker(folder: string): TrackerData {
  return {
    docs: lines(folder, "docs").map((line) => doc.parse(JSON.parse(line))),
    queries: lines(folder, "queries").map((line) => query.parse(JSON.parse(line))),
  };
}

function lines(folder: string, name: string): string[] {
  const plain = join(folder, `${name}.jsonl`);
  const text = existsSync(plain)
    ? readFileSync(plain, "utf8")
    : gunzipSync(readFileSync(`${plain}.gz`)).toString("utf8");
  return text.split("\n").filter((line) => line.trim() !== "");
}

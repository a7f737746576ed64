import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const expectation = z.object({ exitCode: z.int(), outputContains: z.string().nullable() });

/** The facts that a person who reports the bug knows. The truth about the pair is omitted, so that no decision can depend on it. */
const pair = z.object({
  id: z.string(),
  package: z.string(),
  title: z.string(),
  body: z.string(),
  reportVersion: z.string(),
  versionsTested: z.array(z.string()),
  script: z.string(),
  expect: expectation,
});

export type EvidencePair = z.infer<typeof pair>;

/** Reads `pairs.json` of a folder of evidence data, without the answers. Rejects with a ZodError for another format. */
export async function readPairs(directory: string): Promise<EvidencePair[]> {
  return z.array(pair).parse(JSON.parse(await readFile(join(directory, "pairs.json"), "utf8")));
}

const labelledScript = z.object({
  id: z.string(),
  pair: z.string(),
  script: z.string(),
  expect: expectation,
});

export type EvidenceScript = z.infer<typeof labelledScript>;

/** Reads `scripts.json` of a folder of evidence data, without the labels. Rejects with a ZodError for another format. */
export async function readScripts(directory: string): Promise<EvidenceScript[]> {
  return z.array(labelledScript).parse(JSON.parse(await readFile(join(directory, "scripts.json"), "utf8")));
}

import { appendFile, readFile } from "node:fs/promises";
import { z } from "zod";

const resultSchema = z.object({
  id: z.string(),
  area: z.string(),
  before: z.string(),
  after: z.string(),
  end: z.enum(["killed", "timed-out", "survived"]),
  /** The test that detected the mutant; null if none did. */
  by: z.string().nullable(),
  ms: z.number(),
});
export type MutantResult = z.infer<typeof resultSchema>;

/** Reads the results of an earlier, interrupted call; an incomplete last line is ignored. */
export async function readResults(path: string): Promise<MutantResult[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => resultSchema.parse(JSON.parse(line)));
}

export async function appendResult(path: string, result: MutantResult): Promise<void> {
  await appendFile(path, `${JSON.stringify(result)}\n`);
}

export function summaryOf(results: readonly MutantResult[]): string {
  const areas = [...new Set(results.map(({ area }) => area))].toSorted();
  const rows = areas.map((area) =>
    ratesOf(
      area,
      results.filter((result) => result.area === area),
    ),
  );
  return [...rows, ratesOf("all", results)].join("\n");
}

function ratesOf(name: string, results: readonly MutantResult[]): string {
  const survived = results.filter(({ end }) => end === "survived").length;
  const noticed = results.length - survived;
  return `${name}: ${noticed} of ${results.length} noticed (${Math.round((100 * noticed) / Math.max(1, results.length))} %)`;
}

import { stat } from "node:fs/promises";
import { systemClock } from "agent-tty/kit";
import { type IssueIndex, type IssueText, openIssueIndex } from "../../src/duplicates/index.ts";
import { seeded } from "../../test/support/seeded.ts";

const BATCH = 100;
const VOCABULARY = 60_000;
const SEED = 20_261_122;

export interface BuildFigures {
  issues: number;
  buildSeconds: number;
  buildCpuSeconds: number;
  indexMb: number;
  /** The peak memory of the whole process, including Node. */
  peakRssMb: number;
}

export interface SearchFigures {
  /** The process's CPU time for one call, so that other load on the machine does not count. */
  queryCpuP50Ms: number;
  queryCpuP95Ms: number;
  updateCpuP50Ms: number;
  updateCpuP95Ms: number;
  /** The peak memory of the whole process, including Node. */
  peakRssMb: number;
}

/**
 * D4: builds an index of generated issues. Words are drawn by Zipf's law from a vocabulary of 60,000, as in natural text, 8 in a
 * title and 32 to 312 in a body; every tenth issue repeats words of an earlier one. Every run generates the same issues. Half-way
 * the index is closed, and the build continues at the cursor that the index stored.
 */
export async function buildIndex(path: string, issues: number): Promise<BuildFigures> {
  const startedMs = systemClock.monotonicMs();
  const before = process.cpuUsage();
  for (const until of [Math.floor(issues / 2), issues]) {
    const index = await openIssueIndex(path, systemClock);
    try {
      feedMadeIssues(index, until);
    } finally {
      index.close();
    }
  }
  const { user, system } = process.cpuUsage(before);
  return {
    issues,
    buildSeconds: rounded((systemClock.monotonicMs() - startedMs) / 1_000),
    buildCpuSeconds: rounded((user + system) / 1_000_000),
    indexMb: rounded((await stat(path)).size / 1024 ** 2),
    peakRssMb: peakRssMb(),
  };
}

function feedMadeIssues(index: IssueIndex, until: number): void {
  for (let next = Number(index.cursor() ?? 0) + 1; next <= until; next += BATCH) {
    const last = Math.min(until, next + BATCH - 1);
    const page = Array.from({ length: last - next + 1 }, (_, at) => madeIssue(next + at));
    index.put(page, String(last));
  }
}

/**
 * D4: searches for new issues, and then indexes them. Call it in a separate process, because it measures that process's memory.
 */
export async function searchIndex(path: string, queries: number): Promise<SearchFigures> {
  const index = await openIssueIndex(path, systemClock);
  try {
    const first = index.size() + 1;
    const searched = timed(queries, (at) => void index.similar(madeIssue(first + at), 10));
    const updated = timed(queries, (at) => update(index, first + at));
    return {
      queryCpuP50Ms: quantile(searched, 0.5),
      queryCpuP95Ms: quantile(searched, 0.95),
      updateCpuP50Ms: quantile(updated, 0.5),
      updateCpuP95Ms: quantile(updated, 0.95),
      peakRssMb: peakRssMb(),
    };
  } finally {
    index.close();
  }
}

function update(index: IssueIndex, number: number): void {
  index.put([madeIssue(number)]);
}

/** Returns the CPU time of each call in milliseconds. */
function timed(count: number, call: (at: number) => void): number[] {
  return Array.from({ length: count }, (_, at) => cpuOf(() => call(at)));
}

function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return rounded(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
}

function peakRssMb(): number {
  return rounded(process.resourceUsage().maxRSS / 1024);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Returns a generated issue that depends only on its number. */
function madeIssue(number: number): IssueText {
  const isRepeat = number % 10 === 0 && number > 100;
  const random = seeded(SEED + number);
  const topic = seeded(SEED + (isRepeat ? number - 1 - Math.floor(random() * 90) : number));
  const words = (count: number, from: () => number): string =>
    Array.from({ length: count }, () => wordOf(from)).join(" ");
  return {
    number,
    title: words(8, topic),
    body: `${words(12, topic)} ${words(20 + Math.floor(random() * 280), random)}`,
    createdMs: number * 60_000,
    state: "closed",
    reporter: number % 5_000,
  };
}

/** Draws a word: the inverse of the distribution 1 / rank over the vocabulary. */
function wordOf(random: () => number): string {
  return `w${Math.floor(Math.exp(random() * Math.log(VOCABULARY))).toString(36)}x`;
}

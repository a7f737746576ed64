import type { StatisticsDocument } from "../../../src/board/index.ts";

const HOUR_MS = 3_600_000;

/** Returns a month of nights without randomness, so that pictures differ only if the page does. */
export function demoStatistics(): StatisticsDocument {
  const days = Array.from({ length: 30 }, (_, index) => index).filter((index) => index % 7 !== 5);
  const wave = (index: number, period: number, size: number): number =>
    Math.max(0, Math.round(size * (0.6 + 0.4 * Math.sin((index / period) * Math.PI * 2))));
  return {
    schema: "afk-triage/board-statistics@1",
    days: 30,
    outcomes: days.map((index) => ({
      day: new Date(Date.parse("2026-10-23T00:00:00Z") + index * 24 * HOUR_MS).toISOString().slice(0, 10),
      counts: withoutZeros({
        "ready-for-agent": wave(index, 9, 7),
        "ready-for-human": wave(index + 3, 11, 3),
        "needs-info": wave(index + 5, 8, 4),
        wontfix: index % 6 === 0 ? 1 : 0,
        "needs-triage": index % 4 === 1 ? 1 : 0,
        failed: index % 9 === 2 ? 2 : 0,
      }),
    })),
    phases: [
      ["selected", 120, 180, 260, 700],
      ["creating", 21_000, 34_000, 52_000, 96_000],
      ["preparing", 18_000, 41_000, 88_000, 190_000],
      ["triaging", 118_000, 204_000, 371_000, 840_000],
      ["verifying", 9_000, 27_000, 64_000, 240_000],
      ["applying", 1_900, 2_600, 3_800, 9_000],
      ["destroying", 6_000, 11_000, 19_000, 44_000],
    ].map(([phase, p25Ms, p50Ms, p75Ms, p95Ms]) => ({
      phase: String(phase),
      count: 312,
      p25Ms: Number(p25Ms),
      p50Ms: Number(p50Ms),
      p75Ms: Number(p75Ms),
      p95Ms: Number(p95Ms),
    })),
    costs: [
      { outcome: "ready-for-agent", count: 121, meanUsd: 0.58, totalUsd: 70.2 },
      { outcome: "ready-for-human", count: 44, meanUsd: 0.41, totalUsd: 18.0 },
      { outcome: "needs-info", count: 62, meanUsd: 0.33, totalUsd: 20.5 },
      { outcome: "wontfix", count: 5, meanUsd: 0.21, totalUsd: 1.05 },
      { outcome: "needs-triage", count: 8, meanUsd: 0.72, totalUsd: 5.76 },
      { outcome: "failed", count: 6, meanUsd: 0.09, totalUsd: 0.54 },
    ],
    queueAges: [
      { upToMs: HOUR_MS, count: 18 },
      { upToMs: 6 * HOUR_MS, count: 61 },
      { upToMs: 24 * HOUR_MS, count: 102 },
      { upToMs: 3 * 24 * HOUR_MS, count: 57 },
      { upToMs: 7 * 24 * HOUR_MS, count: 24 },
      { upToMs: 30 * 24 * HOUR_MS, count: 9 },
      { upToMs: null, count: 4 },
    ],
  };
}

function withoutZeros(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, number]) => number > 0));
}

import { createIds, systemClock } from "agent-tty/kit";
import { describe, expect, test } from "vitest";
import { decideEvidence, isEvidence, type RunRecord } from "../../src/evidence/index.ts";
import { collectRuns, type RunStage } from "../../src/evidence/pipeline/collect-runs.ts";
import type { Run } from "../../src/evidence/pipeline/verification-stage.ts";
import { propertyRuns } from "../support/property-runs.ts";

const VERIFICATIONS = propertyRuns(100, 1_000);
const claim = { script: "", expect: { exitCode: 1, outputContains: "bug" } };

/** The inputs that a run of a script may depend on. */
interface Moment {
  kind: Run["kind"];
  /** The number of earlier runs whose product loads. */
  before: number;
  answers: string | null;
  random: () => number;
}

/** Returns whether the script shows its claim. It is called only if the product loads. */
type Script = (moment: Moment) => boolean;

/** Verifies a script at one desk; returns whether it is accepted. `asked` is the number of real runs. */
async function verify(script: Script, seed: number, asked: number): Promise<boolean> {
  const random = seeded(seed);
  const records: RunRecord[] = [];
  const stage: RunStage = {
    checkout: {
      commit: null,
      product: { files: ["a.js"], replaced: ["a.js"], built: [], sources: ["a.js"], manifests: [] },
      programs: [],
    },
    desks: 1,
    records,
    deafAnswers: [null, ...["1", "2", "3", "4"].map((candidate) => ({ candidate, isLeaf: false }))],
    otherDays: [],
    hasEnded: false,
    run: (run) => {
      const isLoading = run.kind === "real" || run.kind === "renumbered" || run.kind === "deaf";
      const before = records.filter(({ kind }) => kind !== "absent" && kind !== "broken").length;
      const answers =
        run.kind === "deaf" && run.answer !== "first" && run.answer !== null ? run.answer.candidate : null;
      const isShown = isLoading && script({ kind: run.kind, before, answers, random });
      records.push({
        kind: run.kind,
        answers,
        order: records.length,
        alone: true,
        end: { type: "exited", exitCode: isShown ? 1 : 0 },
        output: isShown ? "bug" : "",
        outputHash: "",
        durationMs: 1,
        changes: [],
        screenHash: "",
      });
      return Promise.resolve(true);
    },
    forget: () => records.splice(0),
    close: () => Promise.resolve(),
  };
  const ids = createIds(systemClock, (size) => Uint8Array.from({ length: size }, () => random() * 256));
  await collectRuns(stage, { claim, runs: asked }, ids);
  return isEvidence(decideEvidence({ claim, records, missing: null, callWithNothing: null, issueText: "" }));
}

/** Returns a mulberry32 generator of numbers from 0 to 1. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the share of verifications, each with another order of runs, that accept the script. */
async function acceptedOf(script: Script, asked = 3): Promise<number> {
  let accepted = 0;
  for (let seed = 1; seed <= VERIFICATIONS; seed += 1) if (await verify(script, seed, asked)) accepted += 1;
  return accepted / VERIFICATIONS;
}

const isReal = ({ kind }: Moment): boolean => kind === "real" || kind === "renumbered";
const percent = (rate: number): string => `${Math.round(100 * rate)} %`;

async function ratesOf<T>(
  variants: readonly T[],
  scriptOf: (variant: T) => Script,
  asked = 3,
): Promise<number[]> {
  const rates: number[] = [];
  for (const variant of variants) rates.push(await acceptedOf(scriptOf(variant), asked));
  return rates;
}

describe("a script cannot derive from the number of earlier runs which run is the deaf one (V2, V3)", () => {
  const moments = Array.from({ length: 10 }, (_, moment) => moment);

  test.each([
    [1, 0.6],
    [2, 0.45],
    [3, 0.45],
    [5, 0.45],
  ])(
    "with %i real runs, a script that shows its claim in all runs but one has to guess that run",
    async (asked, most) => {
      const rates = await ratesOf(
        moments,
        (quiet) =>
          ({ before }) =>
            before !== quiet,
        asked,
      );
      expect(Math.max(...rates)).toBeLessThan(most);
    },
  );

  test("a script that shows its claim only in the first runs has to guess their number", async () => {
    const rates = await ratesOf(
      moments,
      (until) =>
        ({ before }) =>
          before < until,
    );
    expect(Math.max(...rates)).toBeLessThan(0.45);
  });
});

describe("claims that show by chance (V2, V3)", () => {
  test("a script that shows its claim by chance, without testing the product, is rarely accepted", async ({
    annotate,
  }) => {
    const shares = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.95];
    const rates = await ratesOf(
      shares,
      (share) =>
        ({ random }) =>
          random() < share,
    );
    await annotate(shares.map((share, index) => `${share}: ${percent(rates[index] ?? 0)}`).join(", "));
    expect(Math.max(...rates)).toBeLessThan(0.25);
  });

  test("a bug that shows by chance is accepted", async () => {
    const rates = await ratesOf(
      [0.5, 0.7, 0.9],
      (share) => (moment) => isReal(moment) && moment.random() < share,
    );
    expect(Math.min(...rates)).toBeGreaterThan(0.8);
  });

  test("a script that tests the product's answers is verified in any order of the runs", async () => {
    expect(await acceptedOf(isReal)).toBe(1);
    const named = (moment: Moment): boolean =>
      isReal(moment) || (moment.kind === "deaf" && moment.answers !== "3");
    expect(await acceptedOf(named)).toBe(1);
  });
});

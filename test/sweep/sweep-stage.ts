import { join } from "node:path";
import { createSweepWork, openSweptLibrary, type SweepSettings } from "../../src/sweep/index.ts";
import { findInIssue } from "../../src/sweep/found/index.ts";
import { type BatchSummary, snapshotHash } from "../../src/triage/index.ts";
import { type BatchChange, openBatchStage } from "../support/batch/batch-stage.ts";
import { commitWidget } from "../support/batch/commit-widget.ts";
import { fixedVerdict, sweptIssue } from "../support/swept-issue.ts";

const BROKEN = "export const first = (list) => list[0].name;\n";
const FIXED = "export const first = (list) => list[0]?.name;\n";

/** Returns a report of the widget's bug as a reporter would write it: with a version, a script and its output. */
export function report(version: string): string {
  return [
    `Since widgets ${version} an empty list throws.`,
    "",
    "### Steps to reproduce",
    "",
    "```js",
    'import { first } from "./widget.mjs";',
    "console.log(first([]) ?? 'nothing');",
    "```",
    "",
    "It prints `TypeError: Cannot read properties of undefined` and exits with code 1.",
  ].join("\n");
}

const defaults: SweepSettings = {
  query: [],
  closes: false,
  graceMs: 14 * 24 * 3_600_000,
  commentsPerDay: 20,
  shard: null,
  recheckMs: 30 * 24 * 3_600_000,
  asksTriageAgent: false,
};

export type SweepStage = Awaited<ReturnType<typeof openSweepStage>>;

/** Opens a batch stage whose product is broken in 1.0.0 and 1.1.0, and fixed in 1.2.0 unless `isFixed` is false. */
export async function openSweepStage({ isFixed = true, runs = 1 } = {}) {
  const stage = await openBatchStage();
  const commit = (text: string, tag: string): Promise<string> => commitWidget(stage, text, tag, tag);
  await commit(FIXED, "v0.9.0");
  await commit(BROKEN, "v1.0.0");
  await commit(BROKEN, "v1.1.0");
  if (isFixed) await commit(FIXED, "v1.2.0");
  const library = openSweptLibrary(join(stage.directory, "sweeps"), stage.ports.ids);
  const { signal } = new AbortController();
  const { repo, reader } = stage.github;
  return Object.assign(stage, {
    library,
    /**
     * Stores the verdict that a sweep reaches on an issue with a report of 1.1.0, for tests of what follows it: the next sweep
     * publishes the comment without running the script.
     */
    storeVerdict: async (number: number): Promise<void> => {
      const lookup = await reader.issue({ repo, number }, signal);
      if (lookup.type === "gone") throw new Error(`issue ${number} is gone`);
      const { issue } = lookup;
      const [found] = findInIssue([issue.body], repo);
      if (found === undefined) throw new Error(`issue ${number} has no script`);
      const { id } = await reader.viewer(signal);
      const stored = sweptIssue(
        number,
        { ...fixedVerdict, before: "1.1.0" },
        {
          repo,
          seen: snapshotHash(issue, [], id),
          updatedAt: issue.updatedAt,
          reproduction: { script: found.script, expect: { exitCode: 1, outputContains: "TypeError" } },
          comment: { type: "due" },
        },
      );
      await library.save(stored);
    },
    commit,
    fix: () => commit(FIXED, "v1.2.0"),
    sweep: (settings: Partial<SweepSettings> = {}, change: BatchChange = {}): Promise<BatchSummary> => {
      const reproduction = { place: "fresh" as const, runs, timeoutMs: 20_000, rangeMs: 60_000 };
      const work = createSweepWork({ ...defaults, ...settings }, library, stage.ports.clock);
      return stage.run({ ...change, work, settings: { reproduction, ...change.settings } });
    },
    comments: async (number: number): Promise<string[]> => {
      const found = await reader.comments({ repo, number }, signal);
      return found.map(({ body }) => body);
    },
    isOpen: async (number: number): Promise<boolean> => {
      const found = await reader.issue({ repo, number }, signal);
      return found.type === "found" && found.issue.state === "open";
    },
  });
}

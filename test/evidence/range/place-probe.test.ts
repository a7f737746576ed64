import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import { rangeInPlace } from "../../../src/evidence/index.ts";
import { WAYS_APART } from "../../../src/evidence/pipeline/index.ts";
import { type PlaceShell, probeCommit } from "../../../src/evidence/range/index.ts";

/** A place in which each command prints `stdout`. `limits` collects the time limit of each command in milliseconds. */
function fakeShell(stdout: string, remainingMs: number, limits: number[] = []): PlaceShell {
  const exec = (_: string, { timeoutMs }: { timeoutMs: number }): Promise<unknown> => {
    limits.push(timeoutMs);
    return Promise.resolve({ type: "exited", exitCode: 0, stdout: Buffer.from(stdout) });
  };
  const workspace = { exec } as unknown as PlaceShell["workspace"];
  return {
    workspace,
    directory: "/place",
    signal: new AbortController().signal,
    remainingMs: () => remainingMs,
  };
}

const HANG = { script: "sleep 9", expect: { exitCode: 124, outputContains: null } };

test("a run that was cut off before its own time limit does not show a bug that hangs (V1, V4)", async () => {
  const settings = { claim: HANG, setup: [], timeoutMs: 60_000 };
  expect(await probeCommit("c1", settings, fakeShell("124 60 \n", 600_000))).toMatchObject({ type: "bad" });
  expect(await probeCommit("c1", settings, fakeShell("124 5 \n", 5_000))).toEqual({
    type: "untestable",
    reason: "The time for the search ended.",
  });
});

test("a script with a NUL byte is not run, because no shell passes it on (V4)", async () => {
  const limits: number[] = [];
  const settings = { claim: { ...HANG, script: "sleep 9\0" }, setup: [], timeoutMs: 60_000 };
  expect(await probeCommit("c1", settings, fakeShell("124 60 \n", 600_000, limits))).toEqual({
    type: "untestable",
    reason: "The script contains a NUL byte.",
  });
  expect(limits).toEqual([]);
});

test("a run of a range search, with its set-up, gets no more time than the whole search (V4)", async () => {
  const limits: number[] = [];
  const request = { bad: "c1", head: null, claim: HANG, setup: ["sleep 9"], timeoutMs: 1_000 };
  const told: string[] = [];
  const tell = (step: string): void => void told.push(step);
  const shell = { ...fakeShell("0 1 \n", 3_600_000, limits), clock: systemClock, tell };
  await rangeInPlace({ ...request, budgetMs: 20_000 }, shell);
  expect(told).toEqual(["range search: run 1, on commit c1"]);
  expect(limits).toHaveLength(1);
  expect(limits[0]).toBeLessThanOrEqual(20_000);
});

test("a range search tries the ways to isolate a run once, and again only where none gives an own file system view (V4, V9)", async () => {
  const settings = { claim: HANG, setup: [], timeoutMs: 60_000 };
  const triesOf = async (way: string): Promise<number[]> => {
    const tries: number[] = [];
    const { workspace, ...shell } = fakeShell(`0 1 ${way}\n`, 600_000);
    const exec: typeof workspace.exec = (line, options) => {
      tries.push(line.split("$apart true").length - 1);
      return workspace.exec(line, options);
    };
    const counted = { ...shell, workspace: { ...workspace, exec } };
    for (const commit of ["c1", "c2"]) await probeCommit(commit, settings, counted);
    return tries;
  };
  const [own = "", , shared = ""] = WAYS_APART;
  expect(await triesOf(own)).toEqual([4, 0]);
  expect(await triesOf(shared)).toEqual([4, 4]);
});

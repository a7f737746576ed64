import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { expect, test } from "vitest";
import { applyRetention, TRASH } from "../../src/retention/apply-retention.ts";
import type { KeptUnit } from "../../src/retention/plan-retention.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ids = systemIds(systemClock);
const never = new AbortController().signal;
const ports = { ids, isNeededNow: () => Promise.resolve(false) };

const unit = (path: string): KeptUnit => ({
  path,
  kind: "triage-run",
  bytes: 1,
  changedAtMs: 0,
  holds: [],
  issue: null,
});

async function put(path: string, text = "text"): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

test("prune removes a unit with its contents, and the batch's directory once it is empty", async () => {
  await using directory = await temporaryDirectory();
  const home = directory.path;
  await put(join(home, "runs/1/o__r-1/recording.cast"));
  await put(join(home, "runs/2/o__r-1/recording.cast"));
  await put(join(home, "runs/2/audit.jsonl"));
  const wanted = [unit("runs/1/o__r-1"), unit("runs/2/o__r-1"), unit("runs/3/o__r-1")];
  const applied = await applyRetention(home, wanted, ports, never);
  expect(applied).toMatchObject({ removed: wanted.slice(0, 2), failed: [], isCutOff: false });
  expect(await readdir(join(home, "runs"))).toEqual(["2"]);
  expect(await readdir(join(home, "runs/2"))).toEqual(["audit.jsonl"]);
  expect(await readdir(join(home, TRASH))).toEqual([]);
});

test("prune follows no symbolic link and touches nothing outside the home", async () => {
  await using directory = await temporaryDirectory();
  const home = join(directory.path, "home");
  const outside = join(directory.path, "outside");
  await put(join(outside, "o__r-1/kept.txt"));
  await put(join(outside, "kept.txt"));
  await put(join(home, "runs/2/o__r-1/recording.cast"));
  await symlink(outside, join(home, "runs/1"));
  await symlink(outside, join(home, "runs/2/o__r-1/link"));
  await symlink(outside, join(home, "runs/2/o__r-2"));
  const wanted = [
    "runs/1/o__r-1",
    "runs/2/o__r-1",
    "runs/2/o__r-2",
    "../outside/kept.txt",
    "runs/../../outside",
  ];
  const applied = await applyRetention(home, wanted.map(unit), ports, never);
  expect(applied.failed.map(({ path }) => path)).toEqual([wanted[0], wanted[3], wanted[4]]);
  expect(await readFile(join(outside, "o__r-1/kept.txt"), "utf8")).toBe("text");
  expect(await readFile(join(outside, "kept.txt"), "utf8")).toBe("text");
  expect(await readdir(join(home, "runs"))).toEqual(["1"]);
});

test("prune keeps files that have become needed in the meantime; the next pass finishes an interrupted removal", async () => {
  await using directory = await temporaryDirectory();
  const home = directory.path;
  for (const number of [1, 2, 3]) await put(join(home, `runs/1/o__r-${number}/recording.cast`));
  // This is the state that a process leaves when it is killed during a removal.
  await put(join(home, TRASH, "0123/recording.cast"));
  const stop = new AbortController();
  const isNeededNow = ({ path }: KeptUnit): Promise<boolean> => {
    if (path.endsWith("2")) stop.abort();
    return Promise.resolve(path.endsWith("1"));
  };
  const wanted = [1, 2, 3].map((number) => unit(`runs/1/o__r-${number}`));
  const applied = await applyRetention(home, wanted, { ids, isNeededNow }, stop.signal);
  expect(applied).toMatchObject({ removed: [wanted[1]], isCutOff: true });
  expect(await readdir(join(home, TRASH))).toEqual([]);
  expect(await readdir(join(home, "runs/1"))).toEqual(["o__r-1", "o__r-3"]);
  expect(await applyRetention(home, wanted, ports, never)).toMatchObject({ isCutOff: false });
  expect(await readdir(join(home, "runs"))).toEqual([]);
});

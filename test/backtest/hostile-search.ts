import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createCommandAgent } from "../../src/triage/index.ts";
import { AGENTS } from "../support/batch/batch-stage.ts";
import { openGeneratedHistory } from "./generated-history.ts";

/** The reports of the Triage Agents of one backtest. */
export interface HostileSearch {
  /** Issues whose Triage Agent searched to the end. */
  searched: number;
  /** Texts that each of them read at least. */
  readAtLeast: number;
  /** Numbers of the issues whose Triage Agent saw a fix of its own issue or of a later one. */
  found: number[];
  /** Issues that the backtest has an outcome of. */
  decided: number;
}

/**
 * A backtest of a generated history through the unchanged program, with a Triage Agent that searches everything that it reaches.
 * `control` plants the fix in the checkout before: then every Triage Agent must find it.
 */
export async function searchForTheFuture(issues: number, control = false): Promise<HostileSearch> {
  await using history = await openGeneratedHistory(issues, control);
  const reports = join(history.directory, "found.jsonl");
  await writeFile(reports, "");
  const agent = [process.execPath, join(AGENTS, "searching-future.mjs")] as const;
  const { items } = await history.backtest(
    createCommandAgent({ command: agent, environment: { FOUND: reports } }),
  );
  const lines = (await readFile(reports, "utf8")).trim().split("\n");
  const told = lines.map((line) => JSON.parse(line) as { issue: number; read: number; found: number[] });
  return {
    searched: new Set(told.map(({ issue }) => issue)).size,
    readAtLeast: Math.min(...told.map(({ read }) => read)),
    found: told.filter(({ found }) => found.length > 0).map(({ issue }) => issue),
    decided: items.filter(({ ours }) => ours !== null).length,
  };
}

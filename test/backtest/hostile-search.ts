import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createCommandAgent } from "../../src/triage/index.ts";
import { AGENTS } from "../support/batch/batch-stage.ts";
import { openGeneratedHistory } from "./generated-history.ts";

/** The result of the searches of one backtest's Triage Agents. */
export interface HostileSearch {
  /** The number of issues whose Triage Agent completed its search. */
  searched: number;
  /** The smallest number of texts that one of them read. */
  readAtLeast: number;
  /** The numbers of the issues whose Triage Agent found a fix of its own issue or of a later one. */
  found: number[];
  /** The number of issues that have an outcome. */
  decided: number;
}

/**
 * Runs a backtest of a generated history with the unchanged program and a Triage Agent that searches everything within its reach.
 * `control` plants a fix in the checkout beforehand, so that every Triage Agent must find it.
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

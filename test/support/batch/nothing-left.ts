import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { ProgramStage } from "./program-stage.ts";

/** Checks that the program left nothing on this machine: no processes and no local Coder workspaces. */
export async function checkNothingLeft(stage: ProgramStage): Promise<void> {
  expect(await stage.processes()).toEqual([]);
  expect(await readdir(join(stage.home, "workspaces")).catch(() => [])).toEqual([]);
}

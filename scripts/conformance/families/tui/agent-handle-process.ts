import { openHome } from "agent-tty";
import { OperationalError, systemClock, systemIds } from "agent-tty/kit";
import { z } from "zod";
import { SILENCE_DEFAULTS } from "../../../../src/tui/index.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { type CaseReport, compare, notExpressible } from "../../case-report.ts";
import { stateName } from "./handle-state-name.ts";
import { type ProgramHandle, startProgramHandle } from "./program-handle.ts";

export const processSchema = z.object({
  cmd: z.tuple([z.string()], z.string()),
  /** Milliseconds. */
  N: z.number().optional(),
  M: z.number().optional(),
  op: z.string().optional(),
  expect: z.string().optional(),
  expect_path: z.array(z.string()).optional(),
});
type ProcessCase = z.infer<typeof processSchema>;

const LIMIT_MS = 10_000;
const LOOK_EVERY_MS = 5;

/** Checks one case on a real PTY. */
export async function checkProcess(one: ProcessCase): Promise<CaseReport> {
  const id = `${one.cmd.join(" ")}${one.op === undefined ? "" : `, ${one.op}`}: ${one.expect ?? one.expect_path?.join(" → ") ?? ""}`;
  await using root = await temporaryDirectory();
  const home = await openHome({
    directory: `${root.path}/home`,
    clock: systemClock,
    ids: systemIds(systemClock),
  });
  await using handle = await startProgramHandle(home, {
    command: one.cmd,
    cwd: root.path,
    env: { PATH: process.env["PATH"] ?? "" },
    timings: {
      needsInputAfterMs: one.N ?? SILENCE_DEFAULTS.needsInputAfterMs,
      staleAfterMs: one.M ?? SILENCE_DEFAULTS.staleAfterMs,
    },
  });
  if (one.expect_path !== undefined) return compare(id, [], await missingOf(handle, one.expect_path));
  const seen = await outcomeOf(handle, one.op);
  return seen === null
    ? notExpressible(id, "unknown operation")
    : compare(id, true, fits(one.expect ?? "", seen));
}

/** Returns the steps of the path that were not reached in this order; a step may name several states. */
async function missingOf(handle: ProgramHandle, path: readonly string[]): Promise<readonly string[]> {
  const seen: string[] = [];
  const look = (): void => {
    const state = stateName(handle.state);
    if (state !== seen.at(-1)) seen.push(state);
  };
  const missing = (): readonly string[] => {
    const rest = [...path];
    for (const state of seen)
      if (rest[0]?.split(" or ").some((one) => fits(one, state)) === true) rest.shift();
    return rest;
  };
  await until(() => {
    look();
    return missing().length === 0;
  });
  return missing();
}

async function outcomeOf(handle: ProgramHandle, op: string | undefined): Promise<string | null> {
  switch (op) {
    case undefined:
      await exited(handle);
      return stateName(handle.state);
    case "stop":
      await handle.stop();
      return stateName(handle.state);
    case "stop after exit":
      await exited(handle);
      return errorOf(() => handle.stop());
    case "restart while running":
      return errorOf(() => handle.restart());
    case "restart after exit": {
      await exited(handle);
      await handle.restart();
      return stateName(handle.state);
    }
    default:
      return null;
  }
}

/** `Exited(any)` and `Exited(!=0)` name sets of states; `error …` names a refusal. */
function fits(expected: string, seen: string): boolean {
  if (expected.startsWith("error")) return seen.startsWith("error");
  if (expected === "Exited(any)") return seen.startsWith("Exited(");
  if (expected === "Exited(!=0)") return seen.startsWith("Exited(") && seen !== "Exited(0)";
  return expected === seen;
}

async function errorOf(act: () => Promise<void>): Promise<string> {
  try {
    await act();
    return "ok";
  } catch (error) {
    if (error instanceof OperationalError) return `error ${error.code}`;
    throw error;
  }
}

async function exited(handle: ProgramHandle): Promise<void> {
  await until(() => handle.state.type === "exited");
}

async function until(holds: () => boolean): Promise<void> {
  const endMs = systemClock.monotonicMs() + LIMIT_MS;
  while (!holds() && systemClock.monotonicMs() < endMs) await systemClock.sleep(LOOK_EVERY_MS);
}

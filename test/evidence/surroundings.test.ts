import { execFile } from "node:child_process";
import { freemem } from "node:os";
import { promisify } from "node:util";
import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import { lookAround } from "../../src/evidence/pipeline/surroundings.ts";
import type { ReadyWorkspace } from "../../src/workspaces/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const MIB = 1024 ** 2;
const patience = { clock: systemClock, signal: new AbortController().signal, remainingMs: () => 60_000 };

async function seenOf(numbers: Record<string, number | "">): Promise<Awaited<ReturnType<typeof lookAround>>> {
  const lines = ["", ...Object.entries(numbers).map(([name, number]) => `${name} ${number}`), ""];
  const stdout = Buffer.from(lines.join("\n"));
  const exec = (): Promise<object> =>
    Promise.resolve({ type: "exited", exitCode: 0, stdout, stderr: Buffer.alloc(0) });
  return lookAround({ exec } as unknown as ReadyWorkspace, "/place", patience);
}

test.each([
  ["the machine's, without a limit", { limit: "", used: "", reclaimable: "" }, 8_000],
  ["the rest of the control group's limit", { limit: 4_000 * MIB, used: 3_000 * MIB, reclaimable: 0 }, 1_000],
  [
    "increased by the memory of cached files",
    { limit: 4_000 * MIB, used: 3_800 * MIB, reclaimable: 3_000 * MIB },
    3_200,
  ],
  ["never more than the machine's", { limit: 64_000 * MIB, used: 0, reclaimable: 0 }, 8_000],
  ["zero if more is used than allowed", { limit: 100 * MIB, used: 200 * MIB, reclaimable: 0 }, 0],
] as const)("the free memory of a place is %s (V2)", async (_, memory, expected) => {
  const seen = await seenOf({ processors: 4, quota: "", availableKib: 8_000 * 1024, ...memory });
  expect(seen).toEqual({ apart: "", cores: 4, freeMemoryMb: expected, missingTools: [] });
});

test("a control group's processors count if they are fewer than the machine's (V2)", async () => {
  const memory = { availableKib: 1024, limit: "", used: "", reclaimable: "" } as const;
  expect((await seenOf({ processors: 8, quota: 2, ...memory })).cores).toBe(2);
  expect((await seenOf({ processors: 8, quota: 0, ...memory })).cores).toBe(1);
  expect((await seenOf({ processors: "", quota: "", ...memory })).cores).toBe(1);
});

test("the shell of a place reads its memory without another program (V2)", async () => {
  const withoutPrograms = "awk() { return 1; }; cat() { return 1; }";
  const exec = async (commandLine: string): Promise<object> => {
    const line = `${withoutPrograms}\n${commandLine}`;
    const { stdout } = await promisify(execFile)("bash", ["--norc", "-c", line]);
    return { type: "exited", exitCode: 0, stdout: Buffer.from(stdout), stderr: "" };
  };
  await using directory = await temporaryDirectory();
  const seen = await lookAround({ exec } as unknown as ReadyWorkspace, directory.path, patience);
  const { freeMemoryMb, cores, missingTools } = seen;
  const machineMb = freemem() / MIB;
  expect({ cores, missingTools }).toEqual({ cores: expect.any(Number), missingTools: [] });
  expect(freeMemoryMb).toBeGreaterThan(0);
  expect(freeMemoryMb).toBeLessThan(2 * machineMb);
});

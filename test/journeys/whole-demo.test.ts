import { expect, test, vi } from "vitest";
import { buildProgram } from "../support/batch/program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

// The test runs a real batch over fourteen issues, and the machine may be busy.
vi.setConfig({ testTimeout: 400_000 });

test("the demo of the README exits with 0, without a failed issue and without a Node warning (P14)", async () => {
  await using directory = await temporaryDirectory();
  await using program = await buildProgram();
  const { exitCode, stdout, stderr } = await program.start(["demo", "--json"], {
    cwd: directory.path,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: directory.path,
      TMPDIR: directory.path,
      AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "",
    },
  });
  const summary = JSON.parse(stdout) as { issues: { status: string; error: unknown }[] };
  expect(summary.issues.filter(({ error }) => error !== null)).toEqual([]);
  expect(summary.issues.filter(({ status }) => status === "applied")).toHaveLength(11);
  expect(stderr).not.toContain("Warning");
  expect(exitCode).toBe(0);
});

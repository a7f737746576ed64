import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import { readCheckout } from "../../src/evidence/pipeline/read-checkout.ts";
import type { ExecResult, ReadyWorkspace } from "../../src/workspaces/index.ts";

const patience = { clock: systemClock, signal: new AbortController().signal, remainingMs: () => 60_000 };

function reading(result: ExecResult): ReturnType<typeof readCheckout> {
  const exec = (): Promise<ExecResult> => Promise.resolve(result);
  return readCheckout({ exec } as unknown as ReadyWorkspace, "/place", patience);
}

const printed = (exitCode: number, text: string): ExecResult => ({
  type: "exited",
  exitCode,
  stdout: Buffer.from(text),
  stderr: "",
});

test("the files of a checkout and its commit are read from one listing (V2)", async () => {
  const commit = "c".repeat(40);
  const parts = [`${commit}\n`, "a.js\0", "a.js\0b.test.js\0", '{"bin": "./a.js"}'];
  expect(await reading(printed(0, parts.join("\0\n\0")))).toMatchObject({
    commit,
    product: { files: ["a.js"] },
    programs: ["a.js"],
  });
});

test.each<[string, ExecResult]>([
  ["larger than the limit", { type: "output-too-large", limitBytes: 1 }],
  ["not finished before the deadline", { type: "timed-out", stderr: "" }],
  ["of a folder that is gone", printed(90, "")],
])("a listing that is %s is an error, and never a checkout without a product (V2, V9)", async (_, result) => {
  await expect(reading(result)).rejects.toThrow(/^the files of the checkout could not be listed: /);
});

test("a connection that is lost while the checkout is read starts the verification again (T12)", async () => {
  await expect(reading({ type: "transport-lost", message: "" })).rejects.toMatchObject({
    code: "WORKSPACE_LOST",
  });
});

import { expect, test } from "vitest";
import type { Repository } from "../../../src/github/index.ts";
import { type CheckoutFacts, checkoutSource } from "../../../src/triage/batch/session/index.ts";
import type { ExecOptions, ReadyWorkspace } from "../../../src/workspaces/index.ts";

const MIB = 1024 ** 2;
const repo = "octo/widgets";
const repository: Repository = {
  id: 1,
  name: repo,
  cloneUrl: "https://github.com/octo/widgets.git",
  defaultBranch: "main",
  isPrivate: true,
  isArchived: false,
  hasIssues: true,
  canTriage: true,
};

test("a bundle has more time the larger it is, and is not sent again after its time limit (T9, T12)", async () => {
  const sent: ExecOptions[] = [];
  const workspace: ReadyWorkspace = {
    directory: "/home/coder/run",
    warnings: [],
    connection: {
      connectTimeoutMs: 1000,
      isLoss: () => true,
      mayRepeat: () => Promise.resolve(sent.length < 5),
    },
    terminal: () => {
      throw new Error("no terminal was asked for");
    },
    exec: (_, options) => {
      sent.push(options);
      return Promise.resolve({ type: "timed-out", stderr: "" });
    },
  };
  const facts: CheckoutFacts = {
    settings: { checkout: { url: null, ref: null, strategy: "bundle", setup: [] } },
    repositories: new Map([[repo, repository]]),
    ports: { bundle: () => Promise.resolve(new Uint8Array(20 * MIB)) },
  };
  const signal = new AbortController().signal;
  await expect(checkoutSource({ repo, number: 1 }, workspace, facts, signal)).rejects.toMatchObject({
    code: "CHECKOUT_BUNDLE_FAILED",
    message: expect.stringContaining("not done within 269716 ms") as string,
  });
  // 60 s, and 1 s for each 100 kB.
  expect(sent.map(({ timeoutMs }) => timeoutMs)).toEqual([269_716]);
});

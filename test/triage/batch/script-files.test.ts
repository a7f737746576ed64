import { readFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import type { TriageAgent } from "../../../src/triage/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { proposingAgent } from "../../support/batch/in-process-agent.ts";
import { outcomeWith, reproduction } from "../facts.ts";

// The test runs a real batch with several verifications, on a machine that may be busy.
vi.setConfig({ testTimeout: 400_000 });

const SHOW = `node -e "import('./widget.mjs').then(({ first }) => first([]))"`;
const SETUP = "mkdir -p node_modules/installed && echo 1 > node_modules/installed/index.js";

const genuine: Readonly<Record<string, string>> = {
  "a link to the checkout and build output":
    "ln -s .. node_modules/widgets; mkdir build; echo 1 > build/out.js; echo 1 > notes.txt",
  "a link by an absolute path, in a scope": 'mkdir node_modules/@a; ln -s "$PWD" node_modules/@a/widgets',
};

const tampering: Readonly<Record<string, string>> = {
  "a module of its own": "mkdir node_modules/new; echo 1 > node_modules/new/index.js",
  "a link to a file of its own": "mkdir fake; echo 1 > fake/index.js; ln -s ../fake node_modules/widgets",
  "a link out of the checkout": 'ln -s "$(mktemp -d)" node_modules/widgets',
  "a link in front of an installed module":
    "mkdir -p lib/node_modules; ln -s ../.. lib/node_modules/installed",
  "a link inside of an installed module": "ln -s ../../widget.mjs node_modules/installed/other.mjs",
  "an installed module": "echo 2 > node_modules/installed/index.js",
  "a tracked file": "echo '//' >> widget.mjs",
  "git's state": "git config afk.test 1",
  "a hidden file beside the checkout": "echo 1 > ../.count",
  // In a control run without the bug, the script exits with 0.
  "a file beside the checkout, written by a control": "trap '[ $? != 0 ] || echo 1 > ../count' EXIT",
  "a named pipe at its own place": "rm ../reproduction; mkfifo ../reproduction",
};

test("a script may add its own files and links to its checkout, but must not change what it found there (V3)", async () => {
  const scripts = { ...genuine, ...tampering };
  await using stage = await openBatchStage();
  for (const title of Object.keys(scripts))
    await stage.github.createIssue({ title, labels: ["needs-triage"] });
  const { checkout } = stage.settings;
  const summary = await stage.run({
    settings: {
      checkout: { ...checkout, setup: [SETUP] },
      reproduction: { place: "fresh", runs: 1, timeoutMs: 20_000, rangeMs: null },
    },
    ports: { triageAgent: agentOf(Object.values(scripts)) },
  });
  const outcomes = summary.issues.map(({ number, outcome, policy }) => [
    Object.keys(scripts)[number - 1],
    `${outcome} ${policy.join()}`,
  ]);
  const expected = (names: object, outcome: string): [string, string][] =>
    Object.keys(names).map((name) => [name, outcome]);
  expect(Object.fromEntries(outcomes)).toEqual(
    Object.fromEntries([
      ...expected(genuine, "ready-for-agent reproduction-verified"),
      ...expected(tampering, "needs-triage reproduction-unproven"),
    ]),
  );
});

function agentOf(scripts: readonly string[]): TriageAgent {
  return {
    ...proposingAgent({}),
    run: async (context) => {
      const { number } = JSON.parse(await readFile(context.files.issue, "utf8")) as { number: number };
      const script = `#!/bin/sh\n${scripts[number - 1]}\n${SHOW}\n`;
      const { issue: _, ...ready } = outcomeWith({ reproduction: { ...reproduction, script } });
      return proposingAgent(ready).run(context);
    },
  };
}

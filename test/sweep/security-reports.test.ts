import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { worldPeople } from "../support/github/github-world.ts";
import { proposingAgent } from "../support/batch/in-process-agent.ts";
import { openSweepStage, report } from "./sweep-stage.ts";

// The tests run real batches on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const DETAIL = "send-percent-zero-zero-to-admin";

/** Returns every kept file of the runs, Sessions and checkpoints that contains the text. */
async function filesWith(text: string, directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = names
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(directory, "product")))
    .map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(paths.map((path) => readFile(path, "latin1")));
  return paths.filter((_, index) => texts[index]?.includes(text) === true);
}

test("a vulnerability that an invalid outcome declares is withheld, with all files of the run (S16)", async () => {
  await using stage = await openSweepStage();
  const ref = await stage.github.createIssue({ title: "It breaks", body: "Sometimes.", labels: ["bug"] });
  const declared = { security: { level: "confirmed", kind: DETAIL }, extra: 1 } as const;
  const summary = await stage.sweep(
    { asksTriageAgent: true },
    { ports: { triageAgent: proposingAgent(declared) } },
  );
  expect(summary.issues).toMatchObject([{ policy: ["verdict-withheld"], error: null }]);
  expect(await stage.library.read(ref)).toMatchObject({ title: "(withheld)", verdict: { type: "withheld" } });
  expect(await filesWith(DETAIL, stage.directory)).toEqual([]);
});

test("a vulnerability that one of several scripts shows withholds the verdict on the issue (S16)", async () => {
  await using stage = await openSweepStage();
  const showing = [
    "Since widgets 1.0.0 an empty list throws.",
    "",
    "### Steps to reproduce",
    "",
    "```js",
    'import { first } from "./widget.mjs";',
    'console.log(typeof first, ["root", "x", "0", "0", "root"].join(":"));',
    "```",
  ].join("\n");
  const ref = await stage.github.createIssue({ title: "It breaks", body: showing, labels: ["bug"] });
  await stage.github.comment(ref, worldPeople.reporter, report("1.0.0"));
  const summary = await stage.sweep();
  expect(summary.issues).toMatchObject([{ policy: ["verdict-withheld"], error: null }]);
  expect(await filesWith("root:x:0:0", stage.directory)).toEqual([]);
});

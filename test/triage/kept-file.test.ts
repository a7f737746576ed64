import { dirname } from "node:path";
import { expect, test } from "vitest";
import {
  decide,
  type KeptFile,
  noInsight,
  renderComment,
  type Verification,
  withoutDirectory,
} from "../../src/triage/index.ts";
import { never } from "../support/coder/index.ts";
import { openBatchStage } from "../support/batch/batch-stage.ts";
import { proposingAgent } from "../support/batch/in-process-agent.ts";
import { issueWith, outcomeWith, reproduction, runWith } from "./facts.ts";

const RUN = "20260430T141500Z";
const PATH = `${RUN}/octo__widgets-123/verification.cast`;
const grade = {
  verdict: "verified",
  runs: "3/3",
  controls: "0/4",
  place: "fresh",
  firstBad: "1.2.0",
  firstFixed: null,
  test: null,
} as const;
const verification: Verification = {
  type: "reproduced",
  runs: [runWith(), runWith(), runWith()],
  reproduction,
  insight: { ...noInsight, grade },
};

function commentWith(location: KeptFile["location"], path = PATH): string {
  const decision = decide({ issue: issueWith(), outcome: outcomeWith(), verification }, () => false, []);
  const recording = { path, location };
  return renderComment(decision, { issue: issueWith(), runId: RUN, markerKey: null, recording });
}

test("a comment shows the grade in one line and folds the rest of the evidence (V7)", () => {
  const comment = commentWith({ type: "home" });
  const [line = "", ...others] = comment.split("\n").filter((one) => one.includes("Evidence: "));
  expect(others).toEqual([]);
  expect(line).toContain(
    "`verified: 3 of 3 runs, 0 of 4 control runs show it too, in a separate environment, first bad 1.2.0`",
  );
  const [shown = "", folded = ""] = comment.split("<details><summary>Evidence</summary>");
  expect(shown).not.toContain("exit code");
  expect(folded).toMatch(/exit code[\s\S]*Script:[\s\S]*<\/details>/);
});

test.each<[KeptFile["location"], string]>([
  [
    { type: "actions-run", url: "https://github.com/o/r/actions/runs/7" },
    `\`runs/${PATH}\` in [the artifacts of this run](https://github.com/o/r/actions/runs/7#artifacts).`,
  ],
  [
    { type: "base", url: "https://evidence.example/triage/" },
    `[\`runs/${PATH}\`](https://evidence.example/triage/${PATH}).`,
  ],
  [{ type: "home" }, `\`runs/${PATH}\` in the home of Triage Batch \`${RUN}\`.`],
])("a comment says where the recording is: %j (V8)", (location, expected) => {
  expect(commentWith(location)).toContain(`Recording: ${expected}`);
});

test("a link to the evidence contains no character that ends the link (V8, S24)", () => {
  const comment = commentWith({ type: "base", url: "https://e.example/a(b)" }, `${RUN}/x) <b>@octo`);
  expect(comment).toContain(`](https://e.example/a%28b%29/${RUN}/x%29%20%3Cb%3E%40octo)`);
});

test("published text contains no path of a machine, even if scripts or Triage Agents write one (V8)", async () => {
  await using stage = await openBatchStage();
  const directory = dirname(stage.ports.runsDirectory);
  const ref = await stage.github.createIssue({ title: "it breaks", labels: ["needs-triage"] });
  const script = `#!/bin/sh\necho "in $PWD, $HOME, $TMPDIR and $0"\nnode -e "import('./widget.mjs').then(({ first }) => first([]))"\n`;
  const { issue: _, ...outcome } = outcomeWith({
    summary: `The Triage Agent looked at ${directory}/workspaces/1/checkout.`,
    established: [`It is in ${directory}/workspaces/1/checkout/widget.mjs.`],
    reproduction: { ...reproduction, script, actual: `it printed ${directory}` },
  });
  const { issues } = await stage.run({ ports: { triageAgent: proposingAgent(outcome) } });
  expect(issues).toMatchObject([{ outcome: "ready-for-agent" }]);
  const [comment] = await stage.github.reader.comments(ref, never);
  expect(comment?.body).toContain("in …");
  expect(comment?.body).not.toContain(directory);
});

test("the path of the home is replaced in text before it is published (V8)", () => {
  const told = { summary: "see /srv/home/runs/1/x", list: ["/srv/home", 7, null] };
  expect(withoutDirectory(told, "/srv/home")).toEqual({
    summary: "see <home>/runs/1/x",
    list: ["<home>", 7, null],
  });
});

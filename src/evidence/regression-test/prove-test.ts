import { shellQuote } from "agent-tty/kit";
import { redactSecrets } from "../../github/index.ts";
import type { RegressionTestGrade } from "../grade.ts";
import { PRISTINE } from "../pipeline/index.ts";
import { ask, checkoutLines, type PlaceShell, runCommand } from "../range/index.ts";
import { frameworkOf, isOfJavascript } from "./framework.ts";
import { type PlannedTest, planTest, SHOWS, type TestSubject } from "./plan-test.ts";

export interface ProveRequest extends TestSubject {
  /** A commit that has the bug. */
  bad: string;
  /** A commit without the bug; null: none is known. */
  fixed: string | null;
  /** Command lines that set up a checkout. */
  setup: readonly string[];
  timeoutMs: number;
}

export type RegressionTest =
  | { type: "proven"; planned: PlannedTest; grade: RegressionTestGrade }
  /** `reason` is a sentence for people: there is no framework, its tool is missing, or the test has another result. */
  | { type: "unproven"; planned: PlannedTest | null; reason: string };

const LOOK_MS = 30_000;

/**
 * Returns the reproduction as a test for the repository's framework, with its proof (V6): the test must fail because of the bug on
 * the commit with the bug, and pass on a commit without it. If a JavaScript framework is not installed, the test uses node:test.
 * The test is not pushed anywhere. Rejects with WORKSPACE_LOST.
 */
export async function proveTest(request: ProveRequest, shell: PlaceShell): Promise<RegressionTest> {
  const framework = await frameworkIn(shell);
  if (framework === null)
    return unproven(null, "No manifest in the checkout names a test framework that is known.");
  let planned = planTest(framework, request);
  // The file that people get is masked, so it would be another test than the one that ran.
  if (redactSecrets(planned.content) !== planned.content)
    return unproven(null, "The test would hold what looks like a secret, which is masked in all files.");
  let before = await runTest(planned, request.bad, request, shell);
  if (before.type === "no-tool" && isOfJavascript(framework)) {
    planned = planTest("node:test", request);
    before = await runTest(planned, request.bad, request, shell);
  }
  if (before.type === "no-tool")
    return unproven(planned, `${planned.tool.name} is not there, so the test was not run.`);
  if (before.type === "failed-otherwise" || before.type === "passed")
    return unproven(planned, `On ${request.bad.slice(0, 12)} the test ${TOLD[before.type]}.`);
  if (request.fixed === null)
    return {
      type: "proven",
      planned,
      grade: { framework: planned.framework, failsBefore: true, passesAfter: null },
    };
  const after = await runTest(planned, request.fixed, request, shell);
  if (after.type !== "passed")
    return unproven(
      planned,
      `On ${request.fixed.slice(0, 12)}, which has the fix, the test ${TOLD[after.type]}.`,
    );
  return {
    type: "proven",
    planned,
    grade: { framework: planned.framework, failsBefore: true, passesAfter: true },
  };
}

type TestRun = { type: "shows" | "passed" | "failed-otherwise" | "no-tool" };

const TOLD: Record<TestRun["type"], string> = {
  shows: "still shows the bug",
  passed: "passes",
  "failed-otherwise": "fails for another reason than the bug",
  "no-tool": "could not be run, because its tool is not there",
};

const NO_TOOL = 77;

async function runTest(
  { path, content, command, tool }: PlannedTest,
  commit: string,
  { setup, timeoutMs }: ProveRequest,
  shell: PlaceShell,
): Promise<TestRun> {
  const encoded = Buffer.from(content).toString("base64");
  const lines = [
    ...checkoutLines(commit, setup),
    `mkdir -p "$(dirname ${shellQuote(path)})" && printf %s ${encoded} | base64 -d > ${shellQuote(path)} || exit 91`,
  ];
  const inner = `${tool.check} >/dev/null 2>&1 || exit ${NO_TOOL}; ${command}`;
  const ran = await runCommand(lines, `bash -c ${shellQuote(inner)}`, timeoutMs, shell);
  if (ran.type !== "ended") return { type: "failed-otherwise" };
  const exitCode = ran.end.type === "exited" ? ran.end.exitCode : null;
  if (exitCode === NO_TOOL) return { type: "no-tool" };
  if (exitCode === 0) return { type: "passed" };
  return { type: ran.output.includes(SHOWS) ? "shows" : "failed-otherwise" };
}

async function frameworkIn(shell: PlaceShell): Promise<ReturnType<typeof frameworkOf>> {
  const names = await ask([`ls -1 ${PRISTINE}`], shell, LOOK_MS);
  const manifest = await ask([`head -c 1000000 ${PRISTINE}/package.json 2>/dev/null`], shell, LOOK_MS);
  const files = (names?.stdout ?? "").split("\n");
  return frameworkOf({ files, packageJson: manifest?.stdout ?? "" });
}

function unproven(planned: PlannedTest | null, reason: string): RegressionTest {
  return { type: "unproven", planned, reason };
}

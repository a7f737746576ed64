/**
 * Usage: `npm run e2e:packages`. Tests the main job on real software. Published npm packages with known bugs become the
 * repositories of emulated GitHub projects, each with an issue as a reporter would write it; the built program triages them. If a
 * result differs from the known truth, prints a table of expected and actual results and exits with code 1.
 *
 * `--triage-agent scripted` (default): the demo's rule-based Triage Agent. `--triage-agent claude-code`: the real Claude
 * Code, installed outside the lock file, with a scripted model on loopback. With `--only <package@version>` only that package is
 * triaged.
 *
 * The first run needs the npm registry; downloads and the artifacts of the last run stay in node_modules/.cache/afk-triage.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type CaseReport,
  type ChosenAgent,
  type PackageCase,
  packageCases,
  runCase,
  specOf,
} from "../test/e2e-packages/index.ts";
import { alignedLines } from "./bench/row.ts";
import { installTool } from "./install-tool.ts";
import { scriptArguments } from "./script-arguments.ts";

const ROOT = join(import.meta.dirname, "..");
const CACHE = join(ROOT, "node_modules", ".cache", "afk-triage");

const { agentKind, chosen } = readArguments();
const agent = await prepareAgent(agentKind);
const folders = {
  cache: join(CACHE, "e2e-packages-registry"),
  artifacts: join(CACHE, "e2e-packages", agentKind),
};
await rm(folders.artifacts, { recursive: true, force: true });
const reports: CaseReport[] = [];
for (const packageCase of chosen) {
  process.stderr.write(`${specOf(packageCase)}: ${packageCase.title}\n`);
  reports.push(await runCase(packageCase, agent, folders));
}
showReports(reports);
process.exitCode = reports.some(({ mismatches }) => mismatches.length > 0) ? 1 : 0;

function readArguments(): { agentKind: ChosenAgent["kind"]; chosen: readonly PackageCase[] } {
  const options = {
    "triage-agent": { type: "string", default: "scripted" },
    only: { type: "string" },
  } as const;
  const { "triage-agent": kind, only } = scriptArguments(import.meta.url, { options }).values;
  const chosen = packageCases.filter((one) => only === undefined || only === specOf(one));
  if (kind !== "scripted" && kind !== "claude-code")
    return refuse(`--triage-agent takes scripted or claude-code, not ${kind}`);
  if (chosen.length === 0)
    return refuse(`--only takes one of ${packageCases.map(specOf).join(", ")}, not ${only}`);
  return { agentKind: kind, chosen };
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

async function prepareAgent(kind: ChosenAgent["kind"]): Promise<ChosenAgent> {
  return kind === "scripted"
    ? { kind, program: join(ROOT, "dist", "demo-triage-agent.js") }
    : { kind, program: (await installTool("claude")).program };
}

function showReports(reports: readonly CaseReport[]): void {
  const rows = reports.map(({ issue, outcome, grade, range, seconds, commentUrl, mismatches }) => [
    mismatches.length === 0 ? "✓" : "✗",
    issue,
    outcome,
    grade,
    range,
    seconds.toFixed(1),
    commentUrl,
  ]);
  const wrong = reports.flatMap(({ issue, mismatches }) =>
    mismatches.map(({ what, expected, seen }) => [issue, what, expected, seen]),
  );
  const lines = [
    ...alignedLines([["", "issue", "outcome", "grade", "range", "seconds", "comment"], ...rows]),
    ...(wrong.length === 0 ? [] : ["", ...alignedLines([["issue", "what", "expected", "seen"], ...wrong])]),
    "",
    `Recordings, comments and summaries: ${folders.artifacts}`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

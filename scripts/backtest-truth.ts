/**
 * Usage: `npm run backtest:truth`. Simulates Triage Agents of known accuracy to test the report and earned autonomy (only the
 * statistics, without the program). It also backtests a generated history of `--issues N` issues (default 300) with a Triage
 * Agent that searches for later commits. With `--triage-agent claude-code` it only backtests that history with the real Claude
 * Code, installed outside the lock file, against a scripted model on loopback, and prints the duration (less than 10 minutes).
 * The exit code is 1 if a bound is missed.
 */
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { backtestWithClaude } from "../test/backtest/claude-history.ts";
import { searchForTheFuture } from "../test/backtest/hostile-search.ts";
import { coveredBy, playAutonomy } from "../test/backtest/known-truth.ts";
import { installTool } from "./install-tool.ts";
import { scriptArguments } from "./script-arguments.ts";

const REPETITIONS = 200;
const { values } = scriptArguments(import.meta.url, {
  options: {
    issues: { type: "string", default: "300" },
    "triage-agent": { type: "string", default: "scripted" },
  },
});
let isMissed = false;
const say = (line: string, isRight: boolean): void => {
  isMissed ||= !isRight;
  process.stdout.write(`${isRight ? "ok    " : "MISSED"}  ${line}\n`);
};

const issues = Number(values.issues);
if (values["triage-agent"] === "claude-code") await playClaude();
else await playScripted();
process.exitCode = isMissed ? 1 : 0;

async function playScripted(): Promise<void> {
  for (const accuracy of [0.6, 0.9, 0.99]) {
    const covered = coveredBy(accuracy, REPETITIONS);
    say(
      `accuracy ${accuracy}: the interval covers it in ${covered} of ${REPETITIONS} repetitions`,
      covered >= 0.94 * REPETITIONS,
    );
    const { rose, fell, atApply } = playAutonomy(accuracy, REPETITIONS);
    const isRight =
      accuracy === 0.99 ? rose >= 0.9 * REPETITIONS && fell === atApply : rose <= 0.01 * REPETITIONS;
    say(
      `accuracy ${accuracy}: autonomy rose in ${rose} repetitions, fell within a bad streak in ${fell} of ${atApply}`,
      isRight,
    );
  }
  const { searched, readAtLeast, found, decided } = await searchForTheFuture(issues);
  say(
    `a searching Triage Agent found a fix in ${found.length} of ${issues} issues (${searched} searched, each ${readAtLeast} texts or more; ${decided} outcomes)`,
    found.length === 0 && searched === issues && decided === issues,
  );
}

async function playClaude(): Promise<void> {
  const { program, version } = await installTool("claude");
  // The PATH of a local Coder workspace omits every node_modules folder.
  const programs = await mkdtemp(join(tmpdir(), "backtest-claude-"));
  try {
    await symlink(program, join(programs, "claude"));
    process.env["PATH"] = `${programs}:${process.env["PATH"] ?? ""}`;
    const { decided, ms, refusals, failures } = await backtestWithClaude(issues, () => performance.now());
    const minutes = ms / 60_000;
    const load = loadavg().map((one) => one.toFixed(1));
    say(
      `${version} decided ${decided} of ${issues} issues in ${minutes.toFixed(1)} minutes (load ${load.join(" ")}); the model refused ${refusals.length} requests`,
      decided === issues && refusals.length === 0 && minutes < 10,
    );
    for (const failure of failures) process.stdout.write(`        ${failure.slice(0, 500)}\n`);
  } finally {
    await rm(programs, { recursive: true, force: true });
  }
}

/**
 * `npm run backtest:truth`: plays Triage Agents of known accuracy against the report and earned autonomy (the statistics alone,
 * without the program), and searches the checkouts of a generated history of `--issues N` (300) for the future. Exit code 1
 * when a bound is missed.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { coveredBy, playAutonomy, searchForTheFuture } from "../test/backtest/known-truth.ts";
import { scriptArguments } from "./script-arguments.ts";

const REPETITIONS = 200;
const { values } = scriptArguments(import.meta.url, {
  options: { issues: { type: "string", default: "300" } },
});
let isMissed = false;
const say = (line: string, isRight: boolean): void => {
  isMissed ||= !isRight;
  process.stdout.write(`${isRight ? "ok    " : "MISSED"}  ${line}\n`);
};

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
const directory = await mkdtemp(join(tmpdir(), "backtest-truth-"));
try {
  const issues = Number(values.issues);
  const found = await searchForTheFuture(directory, issues);
  say(`the fix was found in ${found.length} of ${issues} checkouts of the past`, found.length === 0);
} finally {
  await rm(directory, { recursive: true, force: true });
}
process.exitCode = isMissed ? 1 : 0;

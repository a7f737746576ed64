/**
 * `npm run backtest:truth`: plays Triage Agents of known accuracy against the report and earned autonomy (the statistics alone,
 * without the program), and plays a backtest of a generated history of `--issues N` (300) with a Triage Agent that searches for the future. Exit code 1
 * when a bound is missed.
 */
import { searchForTheFuture } from "../test/backtest/hostile-search.ts";
import { coveredBy, playAutonomy } from "../test/backtest/known-truth.ts";
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
const issues = Number(values.issues);
const { searched, readAtLeast, found, decided } = await searchForTheFuture(issues);
say(
  `a searching Triage Agent found a fix in ${found.length} of ${issues} issues (${searched} searched, each ${readAtLeast} texts or more; ${decided} outcomes)`,
  found.length === 0 && searched === issues && decided === issues,
);
process.exitCode = isMissed ? 1 : 0;

/**
 * `npm run chaos -- --seed S --schedules N`: plays N seeded fault schedules (default 300) with the real program against a
 * stand-in for Coder and an emulated GitHub, `--jobs` at a time (default 2), and prints the faults that took effect and the
 * violations.
 * `--only K` plays one schedule of the seed, `--verbose` prints schedules and time lines, `--json` prints figures as JSON.
 * The exit code is 1 if an invariant was violated.
 */
import pLimit from "p-limit";
import {
  buildImpatientProgram,
  describeMoment,
  describeStrike,
  drawSchedule,
  figuresText,
  type PlayedSchedule,
  playSchedule,
  type Schedule,
  sumUp,
} from "../test/support/chaos/index.ts";
import { scriptArguments } from "./script-arguments.ts";

const { values } = scriptArguments(import.meta.url, {
  options: {
    seed: { type: "string", default: "20261121" },
    schedules: { type: "string", default: "300" },
    only: { type: "string" },
    jobs: { type: "string", default: "2" },
    verbose: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const seed = wholeNumber("seed", values.seed);
const numbers =
  values.only === undefined
    ? Array.from({ length: wholeNumber("schedules", values.schedules) }, (_, index) => index + 1)
    : [wholeNumber("only", values.only)];

// This variable identifies the processes and directories of this run.
process.env["AFK_TEST_RUN"] ??= `afk-chaos-${process.pid}`;
const played = await playAll();
const figures = sumUp(seed, played);
process.stdout.write(`${values.json ? JSON.stringify(figures, null, 2) : figuresText(figures)}\n`);
process.exitCode = played.some(({ violations }) => violations.length > 0) ? 1 : 0;

async function playAll(): Promise<PlayedSchedule[]> {
  await using program = await buildImpatientProgram();
  const limit = pLimit(wholeNumber("jobs", values.jobs));
  const schedules = numbers.map((number) => drawSchedule(seed, number));
  return await Promise.all(
    schedules.map((schedule) =>
      limit(async () => {
        const result = await playSchedule(schedule, program);
        report(result);
        return result;
      }),
    ),
  );
}

function report(result: PlayedSchedule): void {
  const { schedule, violations, durationMs, recoveryRounds, timeline } = result;
  const verdict = violations.length === 0 ? "holds" : "VIOLATED";
  const lines = [
    `schedule ${schedule.number}: ${verdict} (${durationMs} ms, recovery rounds: ${recoveryRounds})`,
  ];
  if (values.verbose || violations.length > 0) lines.push(...describeSchedule(schedule));
  if (values.verbose) lines.push(...timeline.map((line) => `  ${line}`));
  for (const { invariant, text } of violations) lines.push(`  VIOLATION: ${invariant}: ${text}`);
  if (violations.length > 0)
    lines.push(
      `  seed ${seed}, schedule ${schedule.number}; again: npm run chaos -- --seed ${seed} --only ${schedule.number} --verbose`,
    );
  process.stderr.write(`${lines.join("\n")}\n`);
}

function describeSchedule(schedule: Schedule): string[] {
  const { issues, parents, strikes, coder, multiplexer, reapFirst, interlude } = schedule;
  return [
    `  issues: ${issues.map(({ agent, pace }, index) => `#${index + 1} ${agent}, ${pace}`).join("; ")}`,
    `  parents: ${parents.map((parent) => JSON.stringify(parent)).join(" ")}`,
    `  Coder: ${JSON.stringify(coder)}, multiplexer ${multiplexer}${reapFirst ? ", reap first" : ""}${interlude === null ? "" : `, interlude ${JSON.stringify(interlude)}`}`,
    ...strikes.map((strike) => `  at ${describeMoment(strike.at)}: ${describeStrike(strike)}`),
  ];
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name}: expected a whole number, got "${text}"`);
}

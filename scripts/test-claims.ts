/**
 * `npm run test:claims -- --seed S --schedules N`: plays N seeded fault schedules (default 1000) in which Coder workspaces are
 * claimed from a pool of prebuilds, against the stand-in for Coder, `--jobs` at a time (default 4), and prints the numbers of
 * claimed, built and kept Coder workspaces and the violations. `--only K` plays one schedule of the seed. The exit code is 1 if a
 * create failed, a fresh lease counted as old, or something was left behind.
 */
import pLimit from "p-limit";
import { drawClaims, type PlayedClaims, playClaims } from "../test/support/coder-claims/index.ts";
import { scriptArguments } from "./script-arguments.ts";

const { values } = scriptArguments(import.meta.url, {
  options: {
    seed: { type: "string", default: "20261122" },
    schedules: { type: "string", default: "1000" },
    only: { type: "string" },
    jobs: { type: "string", default: "4" },
  },
});
process.env["AFK_TEST_RUN"] ??= `afk-claims-${process.pid}`;
const seed = Number(values.seed);
const numbers =
  values.only === undefined
    ? Array.from({ length: Number(values.schedules) }, (_, index) => index + 1)
    : [Number(values.only)];
const limit = pLimit(Number(values.jobs));
const played = await Promise.all(
  numbers.map((number) =>
    limit(async () => {
      const result = await playClaims(drawClaims(seed, number));
      for (const violation of result.violations)
        process.stderr.write(
          `schedule ${number}: ${violation}\n  again: npm run test:claims -- --seed ${seed} --only ${number}\n`,
        );
      return result;
    }),
  ),
);
const sum = (count: (each: PlayedClaims) => number): number =>
  played.reduce((total, each) => total + count(each), 0);
const violated = played.filter(({ violations }) => violations.length > 0).length;
process.stdout.write(
  `${played.length} schedules of seed ${seed}: ${sum(({ claimed }) => claimed)} claimed, ${sum(({ built }) => built)} built, ${sum(({ kept }) => kept)} kept, ${violated} violated\n`,
);
process.exitCode = violated > 0 ? 1 : 0;

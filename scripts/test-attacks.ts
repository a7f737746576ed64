import { parseArgs } from "node:util";
import { buildProgram } from "../test/support/batch/program.ts";
import type { Verdict } from "../test/support/attacks/judge.ts";
import { playForReal } from "../test/support/attacks/play-for-real.ts";
import { playHomes } from "../test/support/attacks/play-homes.ts";
import { attacks } from "../test/support/attacks/rows/index.ts";
import { scoreboard } from "../test/support/attacks/scoreboard.ts";

/**
 * The attack suite: an always obeying hostile Triage Agent plays every attack against the real program, GitHub over HTTP
 * and the local provider. Prints a scoreboard; exit code 1 when one succeeds.
 * Usage: npm run test:attacks -- [--only S7[,S8]] [--json]
 */
const { values } = parseArgs({
  options: { only: { type: "string" }, json: { type: "boolean", default: false } },
});
/** Issues a batch: what goes wrong with one is told soon, and a home stays small enough to be searched. */
const BATCH_SIZE = 24;

const rows = values.only?.split(",");
const chosen = attacks.filter(({ row }) => rows?.includes(row) ?? true);
const isOfHomes = rows?.includes("S17") ?? true;
if (chosen.length === 0 && !isOfHomes) throw new Error(`no attack is in ${values.only ?? "the suite"}`);

const verdicts: Verdict[] = [];
await using program = await buildProgram();
for (let at = 0; at < chosen.length; at += BATCH_SIZE) {
  verdicts.push(...(await playForReal(chosen.slice(at, at + BATCH_SIZE), program)));
  process.stderr.write(`${Math.min(at + BATCH_SIZE, chosen.length)} of ${chosen.length} attacks played\n`);
}
if (isOfHomes) verdicts.push(...(await playHomes(program)));
process.stdout.write(`${values.json ? JSON.stringify(verdicts, null, 2) : scoreboard(verdicts)}\n`);
process.exitCode = verdicts.some(({ faults }) => faults.length > 0) ? 1 : 0;

import { attackedProviders } from "../test/support/attacks/deployments.ts";
import { buildBriskProgram } from "../test/support/batch/brisk-program.ts";
import type { Verdict } from "../test/support/attacks/judge.ts";
import { playForReal } from "../test/support/attacks/play-for-real.ts";
import { playHomes } from "../test/support/attacks/play-homes.ts";
import { attacks } from "../test/support/attacks/rows/index.ts";
import { scoreboard } from "../test/support/attacks/scoreboard.ts";
import { scriptArguments } from "./script-arguments.ts";

/**
 * Runs the attack suite: a hostile Triage Agent that always obeys plays every attack against the real program and GitHub over
 * HTTP, on the local provider and on the strict stand-in for a Coder deployment. Prints a scoreboard; the exit code is 1 if an
 * attack succeeds.
 * `npm run test:attacks -- [--only S7[,S8]] [--named TEXT] [--provider local|coder] [--json]`
 */
const { values } = scriptArguments(import.meta.url, {
  options: {
    only: { type: "string" },
    named: { type: "string", default: "" },
    provider: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
/** The number of issues per batch: small enough that failures are reported early and that a home can be searched. */
const BATCH_SIZE = 24;

const rows = values.only?.split(",");
const chosen = attacks.filter(
  ({ row, name }) => (rows?.includes(row) ?? true) && name.includes(values.named),
);
const isOfHomes = values.named === "" && (rows?.includes("S17") ?? true);
if (chosen.length === 0 && !isOfHomes) throw new Error(`no attack is in ${values.only ?? "the suite"}`);

const verdicts: Verdict[] = [];
const providers = attackedProviders.filter((one) => one === (values.provider ?? one));
if (providers.length === 0) throw new Error(`--provider is ${values.provider}, not local or coder`);
await using program = await buildBriskProgram();
for (const provider of providers) {
  for (let at = 0; at < chosen.length; at += BATCH_SIZE) {
    const batch = await playForReal(chosen.slice(at, at + BATCH_SIZE), program, provider);
    verdicts.push(...batch);
    const succeeded = batch.filter(({ faults }) => faults.length > 0);
    const played = Math.min(at + BATCH_SIZE, chosen.length);
    const names = succeeded
      .map(({ row, name, faults }) => `\n  SUCCEEDED: ${row} ${name}: ${faults.join("; ")}`)
      .join("");
    process.stderr.write(`${played} of ${chosen.length} attacks played (${provider})${names}\n`);
  }
}
if (isOfHomes) verdicts.push(...(await playHomes(program)));
process.stdout.write(`${values.json ? JSON.stringify(verdicts, null, 2) : scoreboard(verdicts)}\n`);
process.exitCode = verdicts.some(({ faults }) => faults.length > 0) ? 1 : 0;

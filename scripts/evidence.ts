/**
 * `npm run evidence -- DIR`: plays a folder of labelled evidence data against published npm packages.
 *
 * `--history PAIR --to FOLDER`: makes the git repository of one pair, one tagged commit for each version, and ends.
 *
 * Needs the npm registry once; what npm installed stays in node_modules/.cache/afk-triage.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildPackageHistory, type EvidencePair, readPairs } from "../test/evidence-packages/index.ts";

const CACHE = join(import.meta.dirname, "..", "node_modules", ".cache", "afk-triage", "evidence-packages");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { history: { type: "string" }, to: { type: "string" } },
});
const [directory] = positionals;
if (directory === undefined || values.history === undefined || values.to === undefined)
  refuse("usage: npm run evidence -- DIR --history PAIR --to FOLDER");
const pairs = await readPairs(directory);
const pair = pairs.find(({ id }) => id === values.history);
if (pair === undefined) refuse(`${directory} has no pair ${values.history}`);
const built = await buildPackageHistory(pair.package, versionsOf(pair.package, pairs), {
  cache: CACHE,
  directory: values.to,
});
process.stdout.write(`${JSON.stringify(built, null, 2)}\n`);

/** Every version that a pair of the package names. */
function versionsOf(packageName: string, all: readonly EvidencePair[]): string[] {
  const named = all.filter((one) => one.package === packageName).flatMap((one) => one.versionsTested);
  return [...new Set(named)];
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

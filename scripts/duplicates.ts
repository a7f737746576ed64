/**
 * Usage: `npm run duplicates -- DIR`. Plays trackers in order of arrival and reports how well likely duplicates are found (row
 * D3). DIR: one tracker (docs.jsonl[.gz], queries.jsonl[.gz]), or a folder of such folders. `--predictions FILE` writes the
 * results of every query as JSON lines; for a folder of trackers, FILE is a folder that gets one TRACKER.jsonl for each. `--json`
 * prints one JSON document.
 *
 * Example: npm run duplicates -- ../shared/duplicates/dev --json --predictions /tmp/predictions
 */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isTracker, readTracker } from "./duplicates/project.ts";
import { type Score, scoreTracker } from "./duplicates/score.ts";
import { refuseArguments, scriptArguments } from "./script-arguments.ts";

const RESULTS_PER_QUERY = 10;

const { values, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: { json: { type: "boolean" }, predictions: { type: "string" } },
});
const [folder] = positionals;
if (folder === undefined || positionals.length !== 1)
  refuseArguments(import.meta.url, "name one folder: a tracker, or a folder of trackers");

interface Figures extends Score {
  tracker: string;
  issues: number;
  queryP50Ms: number;
  queryP95Ms: number;
}

const isOne = isTracker(folder);
const folders = isOne
  ? [folder]
  : readdirSync(folder)
      .map((name) => join(folder, name))
      .filter(isTracker);
if (folders.length === 0)
  refuseArguments(
    import.meta.url,
    `looked for docs.jsonl or docs.jsonl.gz in ${folder} and the folders in it, found none`,
  );

// The import comes late so that a wrong argument is reported before the search is loaded.
const { playTracker } = await import("./duplicates/play.ts");
const figures: Figures[] = [];
for (const tracker of folders) {
  const name = basename(resolve(tracker));
  console.error(`${name}: reading and searching…`);
  const data = readTracker(tracker);
  const { predictions, queryMs } = await playTracker(data, RESULTS_PER_QUERY);
  if (values.predictions !== undefined) save(values.predictions, name, predictions);
  const sorted = queryMs.toSorted((a, b) => a - b);
  const quantile = (share: number): number =>
    Math.round((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) * 10) / 10;
  figures.push({
    tracker: name,
    issues: data.docs.length,
    ...scoreTracker(data, predictions),
    queryP50Ms: quantile(0.5),
    queryP95Ms: quantile(0.95),
  });
}
if (values.json === true) console.log(JSON.stringify(figures, null, 1));
else console.table(figures);

function save(target: string, name: string, predictions: readonly object[]): void {
  const text = predictions.map((prediction) => `${JSON.stringify(prediction)}\n`).join("");
  if (isOne) return writeFileSync(target, text);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, `${name}.jsonl`), text);
}

import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type AreaMutant,
  applyMutant,
  drawSample,
  findMutants,
  mutantAreas,
} from "../test/support/mutants/index.ts";
import { appendResult, readResults, summaryOf } from "./mutants/results.ts";
import { copyTree } from "./mutants/scratch-tree.ts";
import { TestServer } from "./mutants/test-server.ts";
import { scriptArguments } from "./script-arguments.ts";

/**
 * Changes one place of the source at a time in a copy of the tree and runs the fast tests of that area; a change that no test
 * detects shows behaviour that is not tested. A later call with the same `--out` continues where the last one stopped. The exit
 * code is 1 if fewer than `--goal` percent were detected, or if the tests of an area fail without a change.
 * `npm run test:mutants -- [--count 150] [--seed N] [--only TEXT] [--goal PERCENT] [--out FILE] [--limit SECONDS]`
 * The option `--only` selects the mutants whose area or id contains the text.
 */
const { values } = scriptArguments(import.meta.url, {
  options: {
    count: { type: "string", default: "150" },
    seed: { type: "string", default: "14" },
    only: { type: "string", default: "" },
    goal: { type: "string", default: "0" },
    limit: { type: "string", default: "120" },
    out: { type: "string" },
  },
});
const ROOT = join(import.meta.dirname, "..");
const seed = Number(values.seed);
const limitMs = Number(values.limit) * 1000;
const out = values.out ?? join(ROOT, "build", `mutants-${seed}.jsonl`);

const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort());

const all = await allMutants();
const chosen = all.filter(({ area, id }) => area === values.only || id.includes(values.only));
const sample = drawSample(chosen, Number(values.count), seed);
await mkdir(dirname(out), { recursive: true });
const drawn = new Set(sample.map(({ id }) => id));
const results = (await readResults(out)).filter(({ id }) => drawn.has(id));
const done = new Set(results.map(({ id }) => id));
process.stdout.write(
  `${sample.length} of ${all.length} mutants, seed ${seed}, ${done.size} done before, results in ${out}\n`,
);

await using tree = await copyTree(ROOT);
await using server = new TestServer(tree.directory, limitMs);
const left = sample.filter(({ id }) => !done.has(id));
for (const area of new Set(left.map((mutant) => mutant.area))) {
  const end = await server.run({ changed: [], tests: testsOf(area) }, interrupt.signal);
  if (end.type !== "passed") throw new Error(`the tests of ${area} without a mutant: ${JSON.stringify(end)}`);
}
const ENDS = { passed: "survived", failed: "killed", crashed: "killed", "timed-out": "timed-out" } as const;
/** The files that the server has read with a mutant in them, and must read again. */
let restored: readonly string[] = [];
for (const [index, mutant] of left.entries()) {
  const path = join(tree.directory, mutant.file);
  const text = await readFile(path, "utf8");
  const startedMs = performance.now();
  await writeFile(path, applyMutant(text, mutant));
  const end = await server.run(
    { changed: [path, ...restored], tests: testsOf(mutant.area) },
    interrupt.signal,
  );
  await writeFile(path, text);
  restored = [path];
  const result = {
    id: mutant.id,
    area: mutant.area,
    before: text.slice(mutant.start, mutant.end).slice(0, 200),
    after: mutant.replacement.slice(0, 200),
    end: ENDS[end.type],
    by: "by" in end ? end.by : null,
    ms: Math.round(performance.now() - startedMs),
  };
  await appendResult(out, result);
  results.push(result);
  process.stdout.write(`${done.size + index + 1}/${sample.length} ${result.end} ${result.id}\n`);
}

for (const { id, before, after, end } of results)
  if (end === "survived") process.stdout.write(`survived: ${id}: ${before} -> ${after}\n`);
process.stdout.write(`${summaryOf(results)}\n`);
const noticed = results.filter(({ end }) => end !== "survived").length;
process.exitCode = 100 * noticed >= Number(values.goal) * results.length ? 0 : 1;

async function allMutants(): Promise<AreaMutant[]> {
  const mutants: AreaMutant[] = [];
  for (const [area, { sources }] of Object.entries(mutantAreas))
    for (const file of (await Promise.all(sources.map(filesOf))).flat())
      for (const mutant of findMutants(file, await readFile(join(ROOT, file), "utf8")))
        mutants.push({ ...mutant, area });
  return mutants;
}

async function filesOf(source: string): Promise<string[]> {
  if (!(await stat(join(ROOT, source))).isDirectory()) return [source];
  const names = await readdir(join(ROOT, source), { recursive: true });
  return names.filter((name) => name.endsWith(".ts")).map((name) => join(source, name));
}

function testsOf(area: string): readonly string[] {
  return mutantAreas[area]?.tests ?? [];
}

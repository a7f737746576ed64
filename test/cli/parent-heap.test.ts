import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { Script } from "node:vm";
import { expect, test } from "vitest";
import { boundHeapGrowth } from "../../src/cli/wiring/index.ts";
import { bundledOnce } from "../support/bundled-once.ts";

/** Keeps some memory, creates much long-lived garbage, and prints the largest heap as a multiple of the kept memory. */
const PROGRAM = `
const { boundHeapGrowth } = await import(process.argv[1]);
if (process.argv[2] === "bounded") boundHeapGrowth();
const objects = (count) => Array.from({ length: count }, (_, at) => ({ at, text: "text " + at }));
const kept = objects(400_000);
const keptBytes = process.memoryUsage().heapUsed;
let [recent, mostBytes] = [[], 0];
for (let round = 0; round < 60; round += 1) {
  recent = [...recent.slice(-3), objects(60_000)];
  mostBytes = Math.max(mostBytes, process.memoryUsage().heapUsed);
}
console.log(JSON.stringify({ ratio: mostBytes / keptBytes, kept: kept.length }));
`;

const HAS_EFFECT = Number.parseInt(process.versions.node, 10) < 24;

test.runIf(HAS_EFFECT)(
  "the heap of a parent holds less garbage with the limit than without it (P11)",
  async () => {
    const module = pathToFileURL(bundledOnce("cli/wiring/parent-heap.ts", "parent-heap")).href;
    const ratio = async (mode: string): Promise<number> => {
      const args = ["--input-type=module", "--eval", PROGRAM, module, mode];
      const { stdout } = await execa(process.execPath, args);
      return (JSON.parse(stdout) as { ratio: number }).ratio;
    };
    const [bounded, own] = [await ratio("bounded"), await ratio("own")];
    expect(bounded).toBeLessThan(own * 0.8);
  },
);

test("the next start accepts compiled code that was cached after a batch (P1, P11)", () => {
  // V8 compares only the length of the text, so each text is longer than any that V8 has compiled before.
  let count = 100;
  const source = (): string => `(() => ${(count += 1)})`;
  const isRefused = (cachedData: Buffer) => new Script(source(), { cachedData }).cachedDataRejected;
  const keep = (): Buffer => new Script(source()).createCachedData();
  const bound = boundHeapGrowth();
  const during = keep();
  bound[Symbol.dispose]();
  expect([isRefused(during), isRefused(keep())]).toEqual([true, false]);
});

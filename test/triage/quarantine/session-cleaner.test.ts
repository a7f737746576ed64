import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { assert, asyncProperty, nat } from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type CanaryDetector,
  createCanaryDetector,
  createSessionCleaner,
  createThreadedCleaner,
  type SessionCleaner,
} from "../../../src/triage/index.ts";
import { bundledOnce } from "../../support/bundled-once.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const SECRET = { name: "GITHUB_TOKEN", value: "Zk4tR9mW2q-of-the-parent-7" };
/** A token that is not the parent's, so it is masked. */
const TOKEN = ["ghp_", "a1B2".repeat(9)].join("");
const LINE = "The server has answered, and all is well.\r\n";

function threaded(canaries: CanaryDetector, program?: URL): SessionCleaner {
  const cleaner = createThreadedCleaner(canaries, {
    program:
      program ?? pathToFileURL(bundledOnce("triage/quarantine/cleaning/cleaning-program.ts", "cleaning")),
    threads: 2,
  });
  onTestFinished(() => cleaner[Symbol.dispose]());
  return cleaner;
}

/** Creates the directory of a Session with one output file for each piece. */
async function sessionOf(...pieces: (string | Buffer)[]): Promise<string> {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory[Symbol.asyncDispose]());
  let bytes = 0;
  for (const [index, piece] of pieces.entries()) {
    const name = index === 0 ? "output.bin" : `output.${index}-0-${bytes}.bin`;
    await writeFile(join(directory.path, name), piece);
    bytes += piece.length;
  }
  await writeFile(join(directory.path, "events.jsonl"), '{"seq":1}\n');
  await writeFile(join(directory.path, "session.json"), "{}");
  return directory.path;
}

async function outputOf(directory: string): Promise<string> {
  const names = (await readdir(directory)).filter((name) => name.startsWith("output."));
  const order = (name: string): number => Number(/^output\.(\d+)-/.exec(name)?.[1] ?? 0);
  const sorted = names.toSorted((one, other) => order(one) - order(other));
  return Buffer.concat(await Promise.all(sorted.map((name) => readFile(join(directory, name))))).toString();
}

describe.each([
  ["in this thread", createSessionCleaner],
  ["in separate threads", threaded],
])("a cleaner %s", (_, create) => {
  test("masks token-shaped strings at the same length and keeps the rest (S18)", async () => {
    const directory = await sessionOf(`${LINE.repeat(4_000)}${TOKEN}\r\n${LINE}`);
    using cleaner = create(createCanaryDetector([SECRET]));
    expect(await cleaner.search(directory)).toBeNull();
    expect(await outputOf(directory)).toContain(TOKEN);
    expect(await cleaner.clean(directory)).toBeNull();
    expect(await outputOf(directory)).toBe(`${LINE.repeat(4_000)}${"*".repeat(TOKEN.length)}\r\n${LINE}`);
  });

  test("finds a secret of the parent and removes all output of the Session (S8)", async () => {
    const written = Buffer.from(SECRET.value).toString("base64");
    const directory = await sessionOf(`${LINE.repeat(9_000)}${written}\r\n${LINE.repeat(5_000)}`);
    using cleaner = create(createCanaryDetector([SECRET]));
    const hit = { name: SECRET.name, form: "base64" };
    expect(await cleaner.search(directory)).toEqual(hit);
    expect(await readdir(directory)).toHaveLength(3);
    expect(await cleaner.clean(directory)).toEqual(hit);
    expect(await readdir(directory)).toEqual(["session.json"]);
  });

  test("searches again after a secret has become known or a file has changed (S25)", async () => {
    const canaries = createCanaryDetector([]);
    using cleaner = create(canaries);
    const known = await sessionOf(`${LINE}${SECRET.value}`);
    expect(await cleaner.search(known)).toBeNull();
    canaries.watch(SECRET);
    expect((await cleaner.clean(known))?.name).toBe(SECRET.name);
    const changed = await sessionOf(LINE);
    expect(await cleaner.search(changed)).toBeNull();
    await writeFile(join(changed, "output.bin"), SECRET.value);
    expect((await cleaner.clean(changed))?.name).toBe(SECRET.name);
  });

  test("rejects with the signal's reason when it is cancelled, and works again afterwards (S11)", async () => {
    const directory = await sessionOf(LINE.repeat(200_000));
    using cleaner = create(createCanaryDetector([SECRET]));
    const controller = new AbortController();
    const searched = cleaner.search(directory, controller.signal);
    controller.abort(new Error("the batch is stopping"));
    await expect(searched).rejects.toThrow("the batch is stopping");
    expect((await cleaner.search(await sessionOf(SECRET.value)))?.name).toBe(SECRET.name);
  });

  test("says which file could not be read", async () => {
    using cleaner = create(createCanaryDetector([SECRET]));
    await expect(cleaner.search("/not/there")).rejects.toMatchObject({ code: "ENOENT" });
  });
});

test("output that is split into files at any place is cleaned as if it were one file (S11, S18)", async () => {
  const around = LINE.repeat(3_500);
  const whole = `${around}${TOKEN}\r\n${around}${TOKEN}${LINE}`;
  const leaking = `${around}${SECRET.value}\r\n${around}`;
  const near = around.length;
  await assert(
    asyncProperty(nat(TOKEN.length + 60), async (offset) => {
      const cut = near - 20 + offset;
      const pieces = (text: string): string[] => [text.slice(0, cut), text.slice(cut)];
      const canaries = createCanaryDetector([SECRET]);
      using cleaner = createSessionCleaner(canaries);
      const [one, parted] = [await sessionOf(whole), await sessionOf(...pieces(whole))];
      await cleaner.clean(one);
      await cleaner.clean(parted);
      expect(await outputOf(parted)).toBe(await outputOf(one));
      expect(await outputOf(parted)).not.toContain(TOKEN.slice(0, 12));
      expect(await cleaner.search(await sessionOf(...pieces(leaking)))).not.toBeNull();
    }),
    { numRuns: 8 },
  );
});

test("the event loop keeps running while a thread searches a flood of output (S11)", async () => {
  const cleaner = threaded(createCanaryDetector([SECRET]));
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  onTestFinished(() => clearImmediate(next));
  expect(await cleaner.search(await sessionOf(LINE.repeat(100_000)))).toBeNull();
  expect(turns).toBeGreaterThan(100);
});

test("the search of a Session fails with CLEANING_FAILED when its thread dies, and the thread is replaced (S11)", async () => {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory[Symbol.asyncDispose]());
  const program = join(directory.path, "dies-once.mjs");
  const real = bundledOnce("triage/quarantine/cleaning/cleaning-program.ts", "cleaning");
  await writeFile(
    program,
    `import { existsSync, writeFileSync } from "node:fs";
if (existsSync(${JSON.stringify(`${program}.died`)})) await import(${JSON.stringify(real)});
else { writeFileSync(${JSON.stringify(`${program}.died`)}, ""); process.exit(3); }
`,
  );
  const cleaner = threaded(createCanaryDetector([SECRET]), pathToFileURL(program));
  // Small output is searched without a thread.
  expect((await cleaner.search(await sessionOf(SECRET.value)))?.name).toBe(SECRET.name);
  const session = await sessionOf(`${LINE.repeat(2_000)}${SECRET.value}`);
  await expect(cleaner.search(session)).rejects.toMatchObject({ code: "CLEANING_FAILED" });
  expect((await cleaner.search(session))?.name).toBe(SECRET.name);
});

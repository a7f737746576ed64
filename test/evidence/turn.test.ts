import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { scriptHash } from "../../src/evidence/claim.ts";
import { verifyClaim } from "../../src/evidence/index.ts";
import { productOf } from "../../src/evidence/controls/index.ts";
import { DIVIDER, planTurn, type Preparation, SCRIPT_PATH } from "../../src/evidence/pipeline/turn.ts";
import { readListings } from "../../src/evidence/pipeline/tree-changes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const SCRIPT = "#!/bin/sh\nexit 1\n";
/** The programs that a turn before a real run starts. */
const PROGRAMS = ["find", "rm", "mkdir", "cp", "chmod", "find"];

interface TestDesk extends AsyncDisposable {
  readonly place: string;
  readonly desk: string;
  readonly pristine: string;
  /** Makes a turn and returns its parts and the programs that it started. */
  turn(preparation: Preparation): Promise<{ parts: string[]; programs: string[] }>;
}

async function openDesk(files: readonly string[] = ["index.js"], script: string = SCRIPT): Promise<TestDesk> {
  const directory = await temporaryDirectory();
  const [place, bin] = [join(directory.path, "place"), join(directory.path, "bin")];
  const [desk, pristine] = [join(place, "desks/0"), join(place, "pristine")];
  await mkdir(desk, { recursive: true });
  await mkdir(join(pristine, ".git/objects"), { recursive: true });
  for (const file of files) await writeFile(join(pristine, file), "1\n");
  await writeFile(join(pristine, ".git/HEAD"), "");
  await writeFile(join(pristine, ".git/objects/pack"), "");
  await mkdir(bin);
  const log = join(directory.path, "log");
  const names = ["find", "sha256sum", "rm", "mkdir", "cp", "mv", "base64", "chmod", "cat", "sed", "xargs"];
  const path = process.env["PATH"] ?? "";
  for (const name of names) {
    const shim = `#!/bin/sh\necho ${name} >> ${log}\nPATH=${path} exec ${name} "$@"\n`;
    await writeFile(join(bin, name), shim, { mode: 0o755 });
  }
  let before: string | null = null;
  const request = {
    paths: { place, desk },
    apart: "",
    script,
    product: productOf({ files, tracked: new Set(files), dependencies: [] }),
    programs: [],
    adapters: {
      javascript: "const prepare = async ({ root }) => console.log(`javascript ${root} ${process.cwd()}`);",
      python: "import json, os\ndef prepare(asked): print('python', asked['root'], os.getcwd())",
    },
  };
  return {
    place,
    desk,
    pristine,
    turn: async (preparation) => {
      const own = randomUUID();
      const { commandLine, stdin } = planTurn(request, preparation, { own, before });
      before = own;
      await rm(log, { force: true });
      const running = promisify(execFile)("bash", ["--norc", "-c", commandLine], {
        cwd: directory.path,
        env: { PATH: `${bin}:${path}`, LANG: "C.UTF-8" },
      });
      running.child.stdin?.end(stdin);
      const { stdout } = await running;
      const programs = (await readFile(log, "utf8")).trim().split("\n");
      return { parts: stdout.split(DIVIDER), programs };
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

describe("a turn lists what a run left and makes the checkout of the next (V1)", () => {
  test("it passes over the desk and the pristine checkout once, and once over the new checkout", async () => {
    await using at = await openDesk();
    await at.turn({ kind: "real" });
    const { parts, programs } = await at.turn({ kind: "real" });
    expect(programs).toEqual(PROGRAMS);
    const [left = "", , ready = ""] = parts;
    const paths = ["index.js", ".git/HEAD"].toSorted();
    expect([...readListings(left).pristine.keys()].toSorted()).toEqual(paths);
    for (const part of [left, ready]) {
      const { desk } = readListings(part);
      expect([...desk.keys()].toSorted()).toEqual([SCRIPT_PATH, ...paths]);
      expect(desk.get(SCRIPT_PATH)).toBe(scriptHash(SCRIPT));
    }
  });

  test("it shows what changed in either checkout and beside them", async () => {
    await using at = await openDesk();
    const first = await at.turn({ kind: "real" });
    await writeFile(join(at.desk, "run/index.js"), "exports.one = 2;\n");
    await writeFile(join(at.desk, "run/new\n\tfile"), "");
    await writeFile(join(at.desk, "state"), "");
    await writeFile(join(at.desk, "reproduction"), "#!/bin/sh\n");
    await chmod(join(at.pristine, "index.js"), 0o600);
    const [left = "", , ready = ""] = (await at.turn({ kind: "real" })).parts;
    const was = readListings(first.parts[2] ?? "").desk;
    const { desk, pristine } = readListings(left);
    const changed = [...desk].filter(([path, content]) => was.get(path) !== content).map(([path]) => path);
    expect(changed.toSorted()).toEqual(["../state", "index.js", "new\n\tfile"]);
    expect(desk.has(SCRIPT_PATH)).toBe(false);
    expect(pristine.get("index.js")).not.toBe(readListings(first.parts[0] ?? "").pristine.get("index.js"));
    expect(readListings(ready).desk.get(SCRIPT_PATH)).toBe(scriptHash(SCRIPT));
    expect(readListings(ready).desk.has("new\n\tfile")).toBe(false);
  });
});

test.each([
  ["the adapter of a product in one language reads standard input", ["index.js"], ["javascript"], 0],
  [
    "the adapters of a product in two languages share standard input",
    ["a.js", "b.py"],
    ["javascript", "python"],
    4,
  ],
] as const)("%s (V2)", async (_, files, languages, more) => {
  await using at = await openDesk(files);
  await at.turn({ kind: "real" });
  const renumbered = {
    kind: "renumbered",
    token: "0123456789abcdef",
    version: "300.0.1",
    remembered: "",
    candidate: null,
    clockMs: 0,
    isListening: false,
  } as const;
  const { parts, programs } = await at.turn(renumbered);
  const said = (parts[1] ?? "").trim().split("\n");
  expect(said).toEqual(languages.map((language) => `${language} ${at.place}/run ${at.desk}/run`));
  expect(parts).toHaveLength(3);
  expect(programs).toHaveLength(PROGRAMS.length + more);
});

test.each([
  ["quotes and backslashes", `echo "it's" '\\x41' $'\\'' \\\\ !! $HOME \`id\``],
  ["no line end, and characters of several bytes", "echo 'größer' 漢字 🙂\r\t\u0001"],
  ["hardly anything but quotes", "'".repeat(31_000)],
  ["line ends at its end", "true\n\n\n"],
])("a script with %s is on the desk byte for byte (V1)", async (_, script) => {
  await using at = await openDesk(["index.js"], script);
  const { parts } = await at.turn({ kind: "real" });
  expect(await readFile(join(at.desk, "reproduction"), "utf8")).toBe(script);
  expect(readListings(parts[2] ?? "").desk.get(SCRIPT_PATH)).toBe(scriptHash(script));
});

test.each([
  ["has one more byte", "printf x >> reproduction"],
  ["lacks its last byte", "truncate -s -1 reproduction"],
  ["has a NUL byte at its end", "truncate -s +1 reproduction"],
  ["has other bytes of the same number", "tr e f < reproduction > other; mv other reproduction"],
  ["is a named pipe", "rm reproduction; mkfifo reproduction"],
  ["is a folder", "rm reproduction; mkdir reproduction"],
  ["is gone", "rm reproduction"],
  ["is a file without end", "rm reproduction; truncate -s 1T reproduction || :"],
])("a script that %s after its run is not the outcome's script any more (V1)", async (_, change) => {
  await using at = await openDesk();
  await at.turn({ kind: "real" });
  await promisify(execFile)("bash", ["-c", change], { cwd: at.desk });
  const [left = "", , ready = ""] = (await at.turn({ kind: "real" })).parts;
  expect(readListings(left).desk.has(SCRIPT_PATH)).toBe(false);
  expect(readListings(ready).desk.get(SCRIPT_PATH)).toBe(scriptHash(SCRIPT));
});

test("a script with a NUL byte is not run, because no shell passes one on (V1)", async () => {
  const request = { claim: { script: "echo \0", expect: null }, scriptHash: null };
  const asked = [request, {}, {}, {}] as unknown as Parameters<typeof verifyClaim>;
  const found = await verifyClaim(...asked);
  expect(found).toEqual({ type: "impossible", reason: expect.stringContaining("NUL byte") as string });
});

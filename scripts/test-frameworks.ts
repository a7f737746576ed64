/**
 * Usage: `npm run test:frameworks`. Installs jest, mocha, ava and tap outside the lock file and runs the regression tests that
 * the program writes for them, and those for go test and JUnit if go and Maven are installed. Each must fail with the bug, pass
 * with the fix, and fail if the script cannot run. Names the frameworks that were not run, with the reason. It needs the npm
 * registry once and about 200 MB; Maven needs its plugins, from its registry or from ~/.m2. The exit code is 1 if a test shows
 * another result.
 */
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import type { TestFramework } from "../src/evidence/regression-test/index.ts";
import { has, outcomes, PROVEN, type TestOutcomes } from "../test/evidence/regression-test/test-outcomes.ts";

const CACHE = join(import.meta.dirname, "../node_modules/.cache/afk-triage/test-frameworks");
const FROM_NPM = { jest: "30.5.2", mocha: "11.8.0", ava: "6.4.1", tap: "21.8.0" } as const;

for (const [framework, version] of Object.entries(FROM_NPM) as [keyof typeof FROM_NPM, string][]) {
  const modules = await installed(framework, version);
  await check(framework, version, async (directory) => symlink(modules, join(directory, "node_modules")));
}
if (await has("go version"))
  await check("go test", "", async (directory) =>
    writeFile(join(directory, "go.mod"), "module example.test/subject\n\ngo 1.20\n"),
  );
else say("go test", "not run: go is not installed");
if (await has("mvn --version")) await checkJunit();
else say("JUnit", "not run: Maven is not installed");

async function check(
  framework: TestFramework,
  version: string,
  prepare: (directory: string) => Promise<void>,
): Promise<void> {
  const seen = await outcomes(framework, prepare);
  const isProven = proves(seen);
  if (!isProven) process.exitCode = 1;
  const told = isProven
    ? "fails with the bug, passes with the fix, fails where the script cannot run"
    : JSON.stringify(seen, null, 2);
  say(`${framework} ${version}`.trim(), told);
}

/** Checks JUnit. Maven runs once before, so that it has its plugins, because the regression test itself runs offline. */
async function checkJunit(): Promise<void> {
  const pom = await readFile(join(import.meta.dirname, "frameworks/pom.xml"), "utf8");
  const prepare = async (directory: string): Promise<void> => writeFile(join(directory, "pom.xml"), pom);
  const folder = join(CACHE, "junit");
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "src/test/java"), { recursive: true });
  await prepare(folder);
  const source = "class FirstTest { @org.junit.jupiter.api.Test void runs() { } }\n";
  await writeFile(join(folder, "src/test/java/FirstTest.java"), source);
  const isReady =
    (await has(`cd '${folder}' && mvn -q -o test`)) || (await has(`cd '${folder}' && mvn -q test`));
  if (isReady) await check("JUnit", "with Maven", prepare);
  else say("JUnit", "not run: Maven cannot get its plugins: no registry, and not all of them are in ~/.m2");
}

/** Installs the framework and returns the path of its `node_modules`. */
async function installed(framework: string, version: string): Promise<string> {
  const folder = join(CACHE, `${framework}-${version}`);
  await mkdir(folder, { recursive: true });
  const options = ["--no-save", "--no-audit", "--no-fund", "--no-package-lock", "--prefix", folder];
  await execa("npm", ["install", ...options, `${framework}@${version}`], {
    cwd: folder,
    stdout: process.stderr,
    stderr: "inherit",
  });
  return join(folder, "node_modules");
}

function proves({ broken, fixed, unrunnable }: TestOutcomes): boolean {
  return PROVEN.broken.test(broken) && fixed === PROVEN.fixed && PROVEN.unrunnable.test(unrunnable);
}

function say(framework: string, text: string): void {
  process.stdout.write(`${framework}: ${text}\n`);
}

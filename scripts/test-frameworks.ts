/**
 * `npm run test:frameworks`: installs jest and mocha outside the lock file and runs the regression tests that the program
 * writes for them: each has to fail with the bug, pass with the fix, and fail where the script cannot run. Names the frameworks
 * of which this machine has no tool. Needs the npm registry once and about 60 MB. Exit code 1 when a test shows another result.
 */
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { has, outcomes, PROVEN, type TestOutcomes } from "../test/evidence/regression-test/test-outcomes.ts";

const CACHE = join(import.meta.dirname, "../node_modules/.cache/afk-triage/test-frameworks");
const FROM_NPM = { jest: "30.5.2", mocha: "11.8.0" } as const;
const ELSEWHERE = { "go test": "go version", JUnit: "mvn --version" } as const;

await mkdir(CACHE, { recursive: true });
const specs = Object.entries(FROM_NPM).map(([name, version]) => `${name}@${version}`);
const options = ["--no-save", "--no-audit", "--no-fund", "--no-package-lock", "--prefix", CACHE];
await execa("npm", ["install", ...options, ...specs], {
  cwd: CACHE,
  stdout: process.stderr,
  stderr: "inherit",
});
for (const framework of ["jest", "mocha"] as const) {
  const seen = await outcomes(framework, async (directory) =>
    symlink(join(CACHE, "node_modules"), join(directory, "node_modules")),
  );
  const isProven = proves(seen);
  if (!isProven) process.exitCode = 1;
  const told = isProven
    ? "fails with the bug, passes with the fix, fails where the script cannot run"
    : JSON.stringify(seen, null, 2);
  process.stdout.write(`${framework} ${FROM_NPM[framework]}: ${told}\n`);
}
for (const [framework, tool] of Object.entries(ELSEWHERE)) {
  const told = (await has(tool))
    ? "the tool is here, and no check is written for it"
    : "the tool is not here";
  process.stdout.write(`${framework}: not run: ${told}\n`);
}

function proves({ broken, fixed, unrunnable }: TestOutcomes): boolean {
  return PROVEN.broken.test(broken) && fixed === PROVEN.fixed && PROVEN.unrunnable.test(unrunnable);
}

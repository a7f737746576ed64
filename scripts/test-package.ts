/**
 * `npm run test:package`: packs the package as it would be published, installs that file in an empty project without running
 * any install script, and runs both programs there, first without the optional peer dependencies and then with them. Prints the
 * installed size. Prints any problems and exits with code 1.
 *
 * It needs the npm registry, for the packages that are not bundled.
 */
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { filesWithSecrets, packageProblems } from "../test/supply-chain/package-contents.ts";

const ROOT = join(import.meta.dirname, "..");
/**
 * Packages with prebuilt binaries, which an install without scripts must include; a missing binary shows only when the package is
 * loaded.
 */
const NATIVES = ["@lydell/node-pty", "koffi", "libsql"];
/** Optional packages, installed only on request: the demo's emulated GitHub and the rasteriser of pictures. */
const OPTIONAL = ["@napi-rs/canvas", "emulate"] as const;
/** The limit without the optional packages, in MB of 2^20 bytes. */
const MAX_INSTALLED_MB = 60;

const directory = await mkdtemp(join(tmpdir(), "afk-triage-package-"));
try {
  const problems = await check(directory);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function check(directory: string): Promise<string[]> {
  const { tarball, files } = await pack(directory);
  const { stdout: tracked } = await execa("git", ["ls-files"], { cwd: ROOT });
  const project = join(directory, "project");
  await mkdir(project);
  await writeFile(join(project, "package.json"), '{ "name": "empty", "private": true }\n');
  await npm(project, ["install", "--ignore-scripts", "--no-audit", "--no-fund", tarball]);
  const installed = join(project, "node_modules", "afk-triage");
  const problems = [
    ...packageProblems(files, tracked.split("\n"), true),
    ...filesWithSecrets(installed, files).map((path) => `${path} holds what looks like a secret`),
    ...(await sizeProblems(project)),
    ...(await missingOptionalProblems(project)),
    ...(await programProblems(project, installed)),
    ...(await optionalProblems(project)),
    ...(await actionProblems(directory, installed)),
  ];
  process.stdout.write(`${files.length} files, ${problems.length} problems\n`);
  return problems;
}

async function pack(directory: string): Promise<{ tarball: string; files: string[] }> {
  const { stdout } = await npm(ROOT, ["pack", "--json", "--pack-destination", directory]);
  // The output of the build comes first.
  const [packed] = JSON.parse(stdout.slice(stdout.search(/^\[$/m))) as {
    filename: string;
    files: { path: string }[];
  }[];
  if (packed === undefined) throw new Error("npm pack packed nothing");
  return { tarball: join(directory, packed.filename), files: packed.files.map(({ path }) => path) };
}

async function programProblems(project: string, installed: string): Promise<string[]> {
  const { version } = JSON.parse(await readFile(join(installed, "package.json"), "utf8")) as {
    version: string;
  };
  const runs: [string, string[], string][] = [
    ["afk-triage", ["--help"], "Usage: afk-triage"],
    ["afk-triage", ["--version"], version],
    ["agent-tty", ["--help"], "Usage: agent-tty"],
    ["agent-tty", ["--version"], version],
    ["node", ["--input-type=module", "--eval", importAll(NATIVES)], "loaded"],
  ];
  const checked = runs.map(async ([program, argv, expected]) => {
    const options = { cwd: project, preferLocal: true, localDir: project, reject: false } as const;
    const { exitCode, stdout, stderr } = await execa(program, argv, options);
    process.stdout.write(`${program} ${argv[0]}: exit code ${exitCode}\n`);
    return exitCode === 0 && stdout.includes(expected)
      ? []
      : [
          `${program} ${argv.join(" ")}: expected "${expected}", got exit code ${exitCode}: ${stdout}${stderr}`,
        ];
  });
  return (await Promise.all(checked)).flat();
}

function importAll(names: readonly string[]): string {
  return `for (const name of ${JSON.stringify(names)}) await import(name); console.log("loaded");`;
}

async function sizeProblems(project: string): Promise<string[]> {
  const entries = await readdir(join(project, "node_modules"), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const blocks = await Promise.all(
    files.map(async ({ parentPath, name }) => (await lstat(join(parentPath, name))).blocks),
  );
  // POSIX counts blocks of 512 bytes.
  const megabytes = Math.ceil((blocks.reduce((sum, count) => sum + count, 0) * 512) / 2 ** 20);
  process.stdout.write(`installed size: ${megabytes} MB of ${MAX_INSTALLED_MB}\n`);
  return megabytes <= MAX_INSTALLED_MB
    ? []
    : [`the installation takes ${megabytes} MB, more than ${MAX_INSTALLED_MB}`];
}

/** Checks that the demo names the missing package and the command that installs it. */
async function missingOptionalProblems(project: string): Promise<string[]> {
  const program = join(project, "node_modules", ".bin", "afk-triage");
  const argv = ["demo", "--home", join(project, "home")];
  const { exitCode, stdout, stderr } = await execa(program, argv, { cwd: project, reject: false });
  process.stdout.write(`afk-triage demo without emulate: exit code ${exitCode}\n`);
  const output = `${stdout}${stderr}`;
  return exitCode === 4 && output.includes("npm install emulate@")
    ? []
    : [
        `afk-triage demo without emulate: expected a hint to install it, got exit code ${exitCode}: ${output}`,
      ];
}

async function optionalProblems(project: string): Promise<string[]> {
  const { peerDependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    peerDependencies: Record<(typeof OPTIONAL)[number], string>;
  };
  const wanted = OPTIONAL.map((name) => `${name}@${peerDependencies[name]}`);
  await npm(project, ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...wanted]);
  const argv = ["--input-type=module", "--eval", importAll(OPTIONAL)];
  const { exitCode, stderr } = await execa("node", argv, { cwd: project, reject: false });
  process.stdout.write(`optional packages: exit code ${exitCode}\n`);
  return exitCode === 0 ? [] : [`the optional packages do not load: ${stderr}`];
}

/** Checks that the action in the installed package runs this package, so that one version pins both. */
async function actionProblems(directory: string, installed: string): Promise<string[]> {
  const action = join(installed, ".github", "actions", "triage");
  const output = join(directory, "output");
  await writeFile(output, "");
  await execa("bash", [join(action, "prepare.sh")], {
    env: {
      GITHUB_ACTION_PATH: action,
      RUNNER_TEMP: directory,
      GITHUB_OUTPUT: output,
      AFK_REPOSITORY: "octocat/hello-world",
    },
  });
  const program = /^program=(.*)$/m.exec(await readFile(output, "utf8"))?.[1];
  const expected = join(installed, "dist", "afk-triage.js");
  return program === expected ? [] : [`the action would run ${program}, not ${expected}`];
}

function npm(cwd: string, argv: readonly string[]) {
  return execa("npm", argv, { cwd, stderr: "inherit" });
}

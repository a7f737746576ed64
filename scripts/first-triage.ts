/**
 * `npm run first-triage`: follows the README's "On your repository" to the letter, as a new user would, against an emulated
 * GitHub on loopback: a fresh clone of this repository, an empty HOME, `npm ci`, the build, then every command of that block with
 * `--provider local`. Prints each command's exit code and duration in seconds, and the published comment. The exit code is 1 if a
 * command fails, no comment is published, or everything together takes ten minutes or more.
 *
 * The triaged repository is a published npm package with a known bug; the Triage Agent is the real Claude Code with a scripted
 * model on loopback. It needs the npm registry. The download of Claude Code does not count, because a user already has it.
 */
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { stringify } from "yaml";
import { createPackageRepository, packageCases, reportReader } from "../test/e2e-packages/index.ts";
import { startEmulatedGithub } from "../test/support/github/emulated-github.ts";
import { startModelServer } from "../test/support/model-server/index.ts";
import { worldPeople } from "../test/support/github/github-world.ts";
import { temporaryDirectory } from "../test/support/temporary-directory.ts";
import { installTool } from "./install-tool.ts";
import { scriptArguments } from "./script-arguments.ts";

scriptArguments(import.meta.url, {});

const ROOT = join(import.meta.dirname, "..");
const CACHE = join(ROOT, "node_modules", ".cache", "afk-triage", "e2e-packages-registry");
const LIMIT_SECONDS = 600;
const MODEL_KEY = "sk-ant-api03-a-key-of-the-scripted-model";

const [packageCase] = packageCases;
if (packageCase === undefined) throw new Error("there is no package to triage");
const { repo, title, body } = packageCase;
await using directory = await temporaryDirectory();
await using github = await startEmulatedGithub({ repo });
await using model = await startModelServer(MODEL_KEY, reportReader());
const ref = await github.createIssue({ title, body });
await github.label(ref, worldPeople.maintainer, "needs-triage");
const source = join(directory.path, "source");
const url = await createPackageRepository(packageCase, { cache: CACHE, directory: source });

const clone = join(directory.path, "afk-triage");
const checkout = join(directory.path, "widgets");
const home = join(directory.path, "home");
const programs = join(directory.path, "bin");
await mkdir(home);
await mkdir(programs);
await symlink((await installTool("claude")).program, join(programs, "claude"));
const environment = {
  HOME: home,
  PATH: `${programs}:${process.env["PATH"] ?? ""}`,
  GITHUB_API_URL: github.apiUrl,
  GITHUB_TOKEN: github.token,
  AFK_TRIAGE_MARKER_KEY: "a-key-for-the-first-triage",
};
await writeMachineConfig();
const startedAt = performance.now();
const results = [
  await step(`git clone --quiet ${ROOT} ${clone}`, directory.path),
  await step(`git clone --quiet ${fileURLToPath(url)} ${checkout}`, directory.path),
];
for (const command of await readmeCommands()) {
  if (command.startsWith("npm ")) results.push(await step(command, clone));
  else results.push(await step(command.replace("afk-triage", `node ${clone}/dist/afk-triage.js`), checkout));
}
const seconds = (performance.now() - startedAt) / 1_000;
const comments = await github.reader.comments(ref, AbortSignal.timeout(30_000));
const published = comments.map((comment) => comment.body).join("\n\n");
process.stdout.write(`${published}\n\n`);
for (const { command, exitCode, seconds: took } of results)
  process.stdout.write(`${took.toFixed(1).padStart(6)} s  exit ${exitCode}  ${shown(command)}\n`);
process.stdout.write(
  `${seconds.toFixed(1).padStart(6)} s  from the clone to the published comment (limit ${LIMIT_SECONDS} s)\n`,
);
const isRight = results.every(({ exitCode }) => exitCode === 0) && comments.length === 1;
process.exitCode = isRight && seconds < LIMIT_SECONDS ? 0 : 1;

/** Returns the commands of the README's block, with the options that a run without Coder and without a person needs. */
async function readmeCommands(): Promise<string[]> {
  const page = await readFile(join(ROOT, "README.md"), "utf8");
  const [, block] = /## On your repository[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? [];
  if (block === undefined) throw new Error("README.md has no block of commands under On your repository");
  return block
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, "").replace("owner/name", repo))
    .filter((line) => /^(?:npm|afk-triage) /.test(line))
    .map((line) => (/^afk-triage (?:doctor|run) /.test(line) ? `${line} --provider local` : line))
    .map((line) => (line.includes(" init ") ? `${line} --provider local --yes` : line));
}

/** Writes the keys that belong to this machine: the addresses of the model and of the repository's clone. */
async function writeMachineConfig(): Promise<void> {
  const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: MODEL_KEY };
  const triageAgent = { kind: "claude-code", mode: "print", env };
  const folder = join(home, ".config", "afk-triage");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "config.yml"), stringify({ triageAgent, checkout: { url } }));
}

async function step(command: string, cwd: string) {
  process.stderr.write(`$ ${shown(command)}\n`);
  const run = await execa(command, {
    shell: "bash",
    cwd,
    env: environment,
    extendEnv: false,
    reject: false,
    all: true,
    stdin: "ignore",
  });
  if (run.exitCode !== 0) throw new Error(`${shown(command)} ended with ${run.exitCode}:\n${run.all}`);
  return { command, exitCode: run.exitCode, seconds: run.durationMs / 1_000 };
}

function shown(command: string): string {
  return command.replaceAll(`node ${clone}/dist/afk-triage.js`, "afk-triage").replaceAll(directory.path, "…");
}
